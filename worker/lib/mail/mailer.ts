/** A mail as it is handed to whatever delivers it. */
export interface Mail {
  /** The same for every try: a provider recognizes a repetition by it. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Throws MailRefused if another try would not help, and any other error if it might. */
  send(mail: Mail): Promise<void>;
}

/** The mail will never be accepted, for example because its address does not exist. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}
