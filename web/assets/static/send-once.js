// Sends each form once: the answer to a second click would take the place of the first one, which shows a key or a secret.
const PAUSE_MS = 5000;
for (const form of document.forms) {
  let sentAt = Number.NEGATIVE_INFINITY;
  form.addEventListener('submit', (event) => {
    if (event.timeStamp < sentAt + PAUSE_MS) event.preventDefault();
    else sentAt = event.timeStamp;
  });
}
