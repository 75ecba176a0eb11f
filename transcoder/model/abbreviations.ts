/** Titles and the like, which a name or a number follows. */
const before = new Set(
  [
    'mr mrs ms mx messrs dr drs prof rev hon gen col maj capt cpt lt sgt gov sen rep pres st mt ft vs cf ca',
    'hr hrn fr frl dipl ing mag bzw nr str abs art bspw inkl zzgl evtl ggf usw sog',
    'mme mlle mgr me sr sra srta dña dott sig sigra avv',
    'e.g i.e z.b d.h u.a i.d.r p.ej',
  ]
    .join(' ')
    .split(' '),
);

const plain = (word: string) => word.replace(/^["'“”„«»‘’([¿¡]+/u, '').toLowerCase();

/** Whether a word such as "Dr." or "J." ends with a point that ends no sentence. */
export function isAbbreviation(word: string): boolean {
  if (!word.endsWith('.')) return false;
  if (/^["'“”„«»‘’([¿¡]*\p{L}\.$/u.test(word)) return true;
  return before.has(plain(word).slice(0, -1));
}

/** Abbreviations and words before a number alone. */
const beforeNumber = new Set(
  'no nos vol fig pp p art ch sec nr jan feb mar apr jun jul aug sep sept oct nov dec'.split(' '),
);
/** Months of languages that write days as ordinals with a point, and nouns with a capital. */
const month =
  /^(?:Januar|Jänner|Jan\.|Februar|Feber|Feb\.|März|April|Apr\.|Mai|Juni|Juli|August|Aug\.|September|Sept?\.|Oktober|Okt\.|November|Nov\.|Dezember|Dez\.)(?!\p{L})/u;
const article = /^(?:der|die|das|den|dem|des|am|vom|zum|zur|beim|im)$/i;

/** Whether a text goes on after its last point: in an abbreviation, an initial or a German ordinal. */
export function goesOn(text: string, next: string): boolean {
  const [last = '', previous = ''] = text.slice(-64).split(' ').reverse();
  if (isAbbreviation(last)) return true;
  if (!last.endsWith('.')) return false;
  if (/^\d/.test(next)) return beforeNumber.has(plain(last).slice(0, -1));
  return /^\d{1,2}\.$/.test(last) && (month.test(next) || article.test(previous));
}
