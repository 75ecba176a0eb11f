import { h } from './elements.js';

const knowsPasskeys =
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in window.PublicKeyCredential;

function refuse(form) {
  const other = form.dataset.passkeyCreate ? 'another browser' : 'another browser or way to sign in';
  const text = `This browser cannot use passkeys here. Update it, or use ${other}.`;
  form.replaceWith(h('p', { class: 'notice error', role: 'alert' }, text));
}

// Passkeys: asks the browser at once and again with the button, and sends its answer with the form.
for (const form of document.querySelectorAll('form[data-passkey-get], form[data-passkey-create]')) {
  const ask = async () => {
    const { passkeyGet, passkeyCreate } = form.dataset;
    try {
      const credential = passkeyGet
        ? await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(passkeyGet)),
          })
        : await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(passkeyCreate)),
          });
      form.elements.answer.value = JSON.stringify(credential.toJSON());
    } catch {
      // Cancelled, or no passkey fits: the button asks again.
      return;
    }
    form.submit();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask();
  });
  if (knowsPasskeys) ask();
  else refuse(form);
}

// Back from another site: what the button does, at once.
document.querySelector('form[data-send]')?.submit();
