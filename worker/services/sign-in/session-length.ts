/** How long a session lasts from its sign-in. */
export const SESSION_DAYS = 30;
