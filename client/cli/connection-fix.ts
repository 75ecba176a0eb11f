const unknownName =
  'No server is known by this name. Check how it is spelled, and whether this machine has DNS.';
const untrusted =
  'Its certificate is not signed by an authority that Node knows. If you trust the service, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of that authority.';

/** What can be done about a connection that failed, by the code of Node. */
const fixes: Record<string, string> = {
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
  ECONNREFUSED: 'Nothing listens there. Check the address and its port, and whether the service runs.',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: 'Its certificate has expired, or the clock of this machine is wrong.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet, or the clock of this machine is wrong.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name. Check the address.',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'There is no TLS at this port. Check whether the address begins with http://.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG:
    'There is no TLS at this port. Check whether the address begins with http://.',
};

/** How to fix a failed connection; undefined if its causes do not say. */
export function connectionFix(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return connectionFix(error.cause) ?? (Object.hasOwn(fixes, code) ? fixes[code] : undefined);
}
