import { raw } from 'hono/html';
import packageJson from '../../../package.json' with { type: 'json' };
import { examplesAt, socialPicture } from '../../../schema/api/examples.ts';
import { planNames, planOf, prices } from '../../../schema/api/plans.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import type { Config } from '../../env.ts';
import { moneyDigits } from '../../lib/text/money-text.ts';
import type { Html } from '../docs/shell.ts';

const LICENSE = 'https://www.apache.org/licenses/LICENSE-2.0';

/** The product for search engines, as JSON-LD of schema.org. Browsers do not run a block of data. */
export function productData(config: Config, description: string): Html {
  const { PUBLIC_URL: url, BILLING } = config;
  const { version } = packageJson;
  const image = `${examplesAt(url)}/${socialPicture}`;
  const offers = planNames.map((name) => ({
    ...{ '@type': 'Offer', name: planOf(name).title, url: `${url}/pricing` },
    price: moneyDigits(prices.monthly[name], prices.currency),
    priceCurrency: prices.currency.toUpperCase(),
  }));
  const graph = [
    {
      ...{
        '@type': 'SoftwareApplication',
        '@id': `${url}/#software`,
        name: 'Spool',
        description,
        url,
        image,
      },
      ...{ applicationCategory: 'DeveloperApplication', operatingSystem: 'Linux, macOS' },
      ...{ softwareVersion: version, license: LICENSE },
      featureList: operationNames.map((name) => operations[name].search.title),
      ...(BILLING === 'none' ? {} : { offers }),
    },
    {
      ...{ '@type': 'WebAPI', '@id': `${url}/#api`, name: 'Spool API', description, url },
      ...{ documentation: `${url}/docs`, license: LICENSE },
    },
  ];
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll(
    '<',
    '\\u003c',
  );
  return raw(`<script type="application/ld+json">${text}</script>`) as Html;
}
