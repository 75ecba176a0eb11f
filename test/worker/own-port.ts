/**
 * A port to listen at, stop and listen at again. Systems choose from higher ones for programs that name none, such as other tests: they
 * cannot take this one in between.
 */
export const ownPort = () => 20_000 + Math.floor(Math.random() * 10_000);
