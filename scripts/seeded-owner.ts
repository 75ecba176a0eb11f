/** The address of the person who owns the accounts of `npm start`. No mail reaches it. */
export const OWNER = 'owner@spool.test';
