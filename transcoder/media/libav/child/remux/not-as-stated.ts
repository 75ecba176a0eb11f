/** Why the packets of a stream cannot be remuxed with the times that they state. */
export class NotAsStated extends Error {}

/** A packet states no time. */
export class Untimed extends NotAsStated {}
