const list = (text: string) => text.trim().split(/\s+/);

/**
 * Words that are always written with a capital. Words with a second meaning are left out: "may" and "march", "polish" and "turkey",
 * "will" and "mark".
 */
const capitals = list(`
  monday tuesday wednesday thursday friday saturday sunday
  mondays tuesdays wednesdays thursdays fridays saturdays sundays
  january february april june july august september october november december
  christmas easter thanksgiving halloween
  mr mrs dr mister
  english american british french german spanish italian dutch russian chinese japanese korean indian african
  european asian canadian australian mexican irish scottish greek arabic hebrew latin portuguese swedish norwegian danish
  america europe africa asia australia england britain scotland ireland france germany spain italy russia china japan
  korea india canada mexico brazil egypt israel iran iraq ukraine sweden norway denmark finland switzerland austria greece
  london paris berlin moscow tokyo beijing rome madrid washington boston chicago philadelphia seattle hollywood
  california florida texas virginia alaska hawaii ohio michigan
  christian christians muslim muslims jewish catholic catholics
`);

const irregular = { i: 'I', usa: 'USA', tv: 'TV', dvd: 'DVD', ok: 'OK' };

/** English words by their small letters, as they are written everywhere in a sentence. */
export const englishNames: ReadonlyMap<string, string> = new Map([
  ...capitals.map((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)] as const),
  ...Object.entries(irregular),
]);

/** Words after which a pause does not end a sentence. */
export const restless = {
  /** Articles, possessives, conjunctions and prepositions that do not stand last. */
  never: new Set(
    list(`
      a an the my your our their its
      and or but nor if because although though unless whereas whether while than
      of to from with into onto upon at by for between among during without within toward towards via per
      i'm i've i'd you're you've we're we've they're they've he's she's it's
      is are was were am be being
      very quite every each
      um uh uhm er erm mr mrs dr mister
    `),
  ),
  /** Words that do not make a sentence alone. */
  opening: new Set(list('so well and but or then now like because also anyway however')),
} as const;
