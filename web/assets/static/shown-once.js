// The page answers a form and shows what cannot be shown again. A reload would send the form once more, and make another one.
history.replaceState(null, '', document.querySelector('[data-instead]').dataset.instead);
