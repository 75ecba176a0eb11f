import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser/player.ts';
import { type BillingStand, startBilling } from '../worker/billing/stand.ts';
import { type Chromium, overflows, signUp, startChromium } from './chromium.ts';

const DAY = 24 * 3600;
const SHOTS = process.env.SCREENSHOTS;

let stand: BillingStand;
let browser: Chromium;

beforeAll(async () => {
  if (!chromiumPath) return;
  stand = await startBilling();
  browser = await startChromium((message) =>
    // A declined card is answered with 402, which Chromium reports as an error of the stand-in's page.
    message.location().url.startsWith(stand.stripe.origin),
  );
});
afterAll(async () => {
  await browser?.close();
  await stand?.close();
});

/** Signs up, and opens the billing page. */
async function signUpForBilling(page: Page, email: string): Promise<void> {
  await signUp(page, stand.service, stand.service.url.origin, email);
  await page.getByRole('link', { name: 'Billing' }).click();
  await page.getByRole('heading', { name: 'Billing' }).waitFor();
}

async function buy(page: Page, plan: string, card = 'A card that works'): Promise<void> {
  await page.getByRole('button', { name: `Subscribe to ${plan}` }).click();
  await page.getByRole('heading', { name: 'Subscribe' }).waitFor();
  await page.getByLabel(card).check();
  await page.getByRole('button', { name: 'Pay and subscribe' }).click();
}

async function manage(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Manage the subscription' }).click();
  await page.getByRole('heading', { name: 'Your subscription' }).waitFor();
}

const comeBack = async (page: Page) => {
  await page.getByRole('link', { name: 'Return to the shop' }).click();
  await page.getByRole('heading', { name: 'Billing' }).waitFor();
};

async function advance(days: number): Promise<void> {
  stand.stripe.world.advance(days * DAY);
  await stand.stripe.events.settled();
}

/** Looks at a page at the width of a phone: nothing may reach beyond the screen. */
async function look(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  expect([name, await overflows(page)]).toEqual([name, false]);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-360.png`, fullPage: true });
  if (size) await page.setViewportSize(size);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

describe.skipIf(!chromiumPath)('a person with a browser (needs Chromium)', () => {
  it.each([
    ['light', true],
    ['dark', false],
  ] as const)(
    'buys, sees a payment fail, pays, cancels and subscribes again (%s, script: %s)',
    async (colorScheme, javaScriptEnabled) => {
      const page = await browser.open({ colorScheme, javaScriptEnabled });
      const email = `billing-${colorScheme}@example.com`;
      await signUpForBilling(page, email);
      await page.getByText('has no active subscription').waitFor();
      await look(page, `billing-new-${colorScheme}`);

      await buy(page, 'Boost', 'A card that is declined');
      await page.getByRole('alert').getByText('Your card was declined').waitFor();
      await page.getByLabel('A card that works').check();
      await page.getByRole('button', { name: 'Pay and subscribe' }).click();
      await page.getByText('has the plan Boost').waitFor();
      await page.getByText('Your plan').waitFor();
      await look(page, `billing-bought-${colorScheme}`);

      await page.getByRole('button', { name: 'Change to Elite' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('has the plan Elite').waitFor();

      const customer = Object.values(stand.stripe.state.customers).find((one) => one.email === email);
      if (!customer) throw new Error('no customer');
      customer.card = 'declined';
      await advance(31);
      await page.reload();
      await page.getByRole('alert').getByText('The last payment failed').waitFor();
      await look(page, `billing-failed-${colorScheme}`);

      await page.getByRole('alert').getByRole('link').click();
      await manage(page);
      await page.getByLabel('A card that works').check();
      await page.getByRole('button', { name: 'Change the card' }).click();
      await comeBack(page);
      expect(await page.getByText('The last payment failed').count()).toBe(0);
      await page.getByText('It renews').waitFor();

      await manage(page);
      await page.getByRole('button', { name: 'Cancel the subscription' }).click();
      await page.getByText('Canceled at the end of the period').waitFor();
      await comeBack(page);
      await page.getByText('It is canceled, and ends').waitFor();
      await look(page, `billing-canceled-${colorScheme}`);

      await advance(32);
      await page.reload();
      await page.getByText('has no active subscription').waitFor();
      await buy(page, 'Basic');
      await page.getByText('has the plan Basic').waitFor();
      await look(page, `billing-again-${colorScheme}`);
      await browser.leave(page);
    },
  );

  it('sees no error in the console, and no page asks for what its policy refuses', () => {
    expect(browser.complaints).toEqual([]);
  });
});
