/**
 * Digits as words, and the tens of years, in small letters. Left out are words with a more common use, in their own language or another
 * one, such as French “un” and Danish “to”.
 */
const numberWords = new Set(
  [
    'zero oh one two three four five six seven eight nine eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    'twenty thirty forty fifty sixty seventy eighty ninety',
    'null eins zwei zwo drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig',
    'zéro deux trois quatre cinq six sept huit neuf dix vingt',
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez veinte',
    'due tre quattro cinque sei sette otto nove dieci venti',
    'dois duas três quatro sete oito dez vinte',
    'nul één twee drie vijf zes zeven negen twintig',
    'noll två fyra fem sex sju åtta nio tio tjugo',
    'fire seks syv otte åtte tyve tjue',
    'nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän',
    'jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dwadzieścia',
    'nula jedna dva tři čtyři pět šest sedm osm devět dvacet',
    'nulla kettő három négy öt hét nyolc kilenc',
    'jedan tri četiri pet sedam osam devet',
    'nulis vienas du trys keturi penki šeši septyni aštuoni devyni',
    'nulle viens divi trīs četri pieci seši septiņi astoņi deviņi',
    'nol satu dua tiga empat lima enam tujuh delapan sembilan',
    'unu doi două trei patru cinci șase șapte opt nouă',
    'sıfır iki üç dört beş altı yedi sekiz dokuz yirmi',
    'ноль нуль один два три четыре пять шесть семь восемь девять двадцать',
    'чотири п’ять шість сім вісім дев’ять двадцять',
    'μηδέν δύο δυο τρία τέσσερα πέντε έξι επτά εφτά οκτώ οχτώ εννέα εννιά',
    'शून्य दो तीन चार पाँच पांच छह सात आठ नौ',
    '〇 零 一 二 三 四 五 六 七 八 九',
  ].flatMap((line) => line.replaceAll('’', "'").split(' ')),
);

/** Whether a word is a number, or has one, as `5G`. @param bare In small letters, without punctuation. */
export const isNumber = (bare: string): boolean => /\p{N}/u.test(bare) || numberWords.has(bare);
