/** Why a file cannot be used as a font: a sentence for the caller, with what to do. */
export class FontFault extends Error {}
