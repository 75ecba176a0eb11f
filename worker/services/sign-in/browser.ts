/** The browser that a request comes from. */
export interface Browser {
  /** Its cookie: of the session, or of a visitor who is not signed in. */
  token: string;
  /** Client address, as limits count it. */
  address: string;
  /** Such as `Firefox on Linux`. */
  agent: string;
  /** Town and country; empty if unknown. */
  place: string;
}
