for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  figure.querySelector('figcaption').append(button);
}

const contents = document.getElementById('contents');
document.querySelector('.side nav')?.addEventListener('click', () => {
  contents.checked = false;
});

const moving = matchMedia('(prefers-reduced-motion: reduce)').matches
  ? []
  : document.querySelectorAll('.previews video[muted]');
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) target.play().catch(() => {});
    else target.pause();
  }
});
for (const video of moving) {
  // Examples keep their controls, so that their sound can be turned on.
  video.controls = video.closest('.shown') !== null;
  seen.observe(video);
}
