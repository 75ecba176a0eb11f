import type { CaptionFont } from '../../../schema/media/caption-presets.ts';

/**
 * Advance widths from space to tilde in bold, in thousandths of an em, and the size of an em relative to the line
 * height, from the hmtx, hhea and OS/2 tables of the fonts.
 */
const fonts: Record<CaptionFont, { em: number; widths: number[] }> = {
  Inter: {
    em: 0.8263,
    widths: numbers(
      '232 325 392 650 655 859 674 209 409 409 565 680 303 469 298 390 688 489 630 659 678 645 660 595 661 ' +
        '660 298 303 680 680 680 563 1031 748 661 752 727 613 585 761 746 281 570 690 567 915 735 782 648 783 ' +
        '656 655 668 729 748 1036 714 724 667 409 390 409 488 477 497 580 635 587 635 598 386 633 624 272 272 ' +
        '582 272 912 622 614 632 632 409 562 388 622 586 850 574 586 572 409 374 409 680',
    ),
  },
  Lato: {
    em: 0.8333,
    widths: numbers(
      '243 281 396 580 580 820 724 212 275 275 425 580 234 373 238 466 580 580 580 580 580 580 580 580 580 ' +
        '580 258 271 580 580 580 460 844 695 659 662 761 575 566 726 771 297 430 686 520 945 771 808 619 808 ' +
        '643 549 600 743 695 1051 671 648 606 314 466 314 580 467 400 507 568 482 568 534 359 528 564 254 254 ' +
        '535 249 838 564 575 568 568 373 440 372 564 528 803 522 528 460 306 261 306 580',
    ),
  },
  'Bebas Neue': {
    em: 0.8333,
    widths: numbers(
      '155 190 325 410 396 627 414 180 251 251 396 396 186 270 186 381 396 396 396 396 396 396 396 396 396 ' +
        '396 186 186 396 396 396 360 689 407 406 386 408 368 344 390 427 190 256 414 339 541 427 396 382 396 ' +
        '402 374 356 398 402 563 430 396 370 251 381 251 396 500 250 407 406 386 408 368 344 390 427 190 256 ' +
        '414 339 541 427 396 377 396 402 374 356 398 402 563 430 396 370 257 500 257 396',
    ),
  },
  'Noto Sans': {
    em: 0.7342,
    widths: numbers(
      '260 286 472 646 572 901 750 266 339 339 545 572 285 322 285 413 572 572 572 572 572 572 572 572 572 ' +
        '572 285 285 572 572 572 477 897 690 672 637 740 560 549 724 765 389 331 664 565 943 813 796 628 796 ' +
        '660 551 579 756 650 967 667 624 579 331 413 331 572 411 362 604 633 514 633 591 387 633 657 305 305 ' +
        '620 305 982 657 619 633 633 454 497 434 657 569 856 578 569 488 394 551 394 572',
    ),
  },
  'DejaVu Sans Mono': {
    em: 0.8591,
    widths: Array.from({ length: 95 }, () => 602),
  },
};

function numbers(text: string): number[] {
  return text.split(' ').map(Number);
}

const FIRST = 32;
const EAST_ASIAN = 1000;
const OTHER = 600;
const eastAsian = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hangul}\u3000-\u303F\uFF01-\uFF60]/u;

/** Width of a text relative to the line height: exact for ASCII, approximate for other characters. */
export function widthOf(text: string, font: CaptionFont, spacing = 0): number {
  const { em, widths } = fonts[font];
  let width = 0;
  for (const character of text.normalize('NFD')) {
    if (/\p{M}|\p{Cf}/u.test(character)) continue;
    const known = widths[(character.codePointAt(0) ?? 0) - FIRST];
    width += ((known ?? (eastAsian.test(character) ? EAST_ASIAN : OTHER)) / 1000) * em + spacing;
  }
  return width;
}

/** Whether the widths of all characters are known. */
export function isMeasured(text: string): boolean {
  return /^[ -~\u00C0-\u024F]*$/u.test(text);
}
