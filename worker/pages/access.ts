/** An account whose pages a path leads to. */
export const account = '/app/:account{acct_[\\w-]+}';

export const anyone = { access: 'anyone' } as const;
export const person = { access: 'person' } as const;
export const freshPerson = { access: 'person', fresh: true } as const;
export const member = { access: 'member' } as const;
export const freshMember = { access: 'member', fresh: true } as const;
export const owner = { access: 'owner' } as const;
export const freshOwner = { access: 'owner', fresh: true } as const;
export const get = { method: 'get' } as const;
export const post = { method: 'post' } as const;
