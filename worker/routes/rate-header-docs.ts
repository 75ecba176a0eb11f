/** How the RateLimit headers stand in the OpenAPI document. */
export const rateHeaderDocs = {
  'RateLimit-Policy': {
    description: 'Creations (`q`) in a window of `w` seconds, by the IETF draft.',
    schema: { type: 'string' as const, examples: ['"basic";q=30;w=60'] },
  },
  RateLimit: {
    description: 'Creations left (`r`) and seconds until one comes back (`t`).',
    schema: { type: 'string' as const, examples: ['"basic";r=29;t=12'] },
  },
};
