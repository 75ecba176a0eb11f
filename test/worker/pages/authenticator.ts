import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url');

/** CBOR of what an authenticator sends: maps, byte strings, texts and integers. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, inner]) => [cbor(key), cbor(inner as number)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

/** A passkey in software (ES256), which signs whatever it is asked to, also what a real one would refuse. */
export class Authenticator {
  readonly id = randomBytes(16);
  private readonly privateKey: KeyObject;
  private readonly publicKey: Buffer;
  counter = 0;

  constructor() {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = pair.privateKey;
    const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Buffer>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    this.publicKey = cbor(key);
  }

  private data(domain: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(domain), Buffer.from([flags]), counter]);
  }

  /** What `navigator.credentials.create` returns, as JSON. */
  create(challenge: string, origin: string, domain = new URL(origin).hostname): string {
    const length = Buffer.from([0, this.id.length]);
    const flags = FLAGS.present | FLAGS.verified | FLAGS.attested;
    const authData = Buffer.concat([
      this.data(domain, flags),
      Buffer.alloc(16),
      length,
      this.id,
      this.publicKey,
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.answer({
      clientDataJSON: base64url(JSON.stringify({ type: 'webauthn.create', challenge, origin })),
      attestationObject: base64url(cbor(attestation as Map<string, unknown>)),
    });
  }

  /** What `navigator.credentials.get` returns, as JSON. */
  get(
    challenge: string,
    origin: string,
    { domain = new URL(origin).hostname, verified = true } = {},
  ): string {
    this.counter += 1;
    const authData = this.data(domain, FLAGS.present | (verified ? FLAGS.verified : 0));
    const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.privateKey);
    return this.answer({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
    });
  }

  private answer(response: Record<string, string>): string {
    const id = base64url(this.id);
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }
}
