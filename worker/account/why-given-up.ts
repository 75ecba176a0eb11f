const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

/** Why a task gets no other machine, given how many it has lost and how many could not process it. */
export function whyGivenUp(losses: number, failures: number): string {
  const stopped = 'its machine stopped unexpectedly';
  const unable = 'the machine could not process it';
  const tried = `The task was tried ${times(losses + failures)}`;
  const how =
    losses > 0 && failures > 0
      ? `: ${times(losses)} ${stopped}, and ${times(failures)} ${unable}`
      : `, and each time ${losses > 0 ? stopped : unable}`;
  return `${tried}${how}. It is not tried again.`;
}
