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

/** Loaded when it is first used. */
const search = () => import('/search/search.js');
const opener = document.querySelector('.search-open');
const open = async (event) => {
  event.preventDefault();
  const { openSearch } = await search().catch(() => ({ openSearch: () => location.assign(opener.href) }));
  openSearch();
};
opener?.addEventListener('click', open);
addEventListener('keydown', (event) => {
  const typing =
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
  if (opener && event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey)
    open(event);
});
const place = document.getElementById('search-here');
if (place)
  search().then(
    ({ placeSearch }) => placeSearch(place, place.dataset.words),
    () => {},
  );

// Links from the time when the reference was one page.
const former =
  location.hash.length > 1 &&
  document.querySelector(`.moved > [id="${CSS.escape(location.hash.slice(1))}"] a`);
if (former) location.replace(former.href);

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

// The language that was chosen once is that of every request.
for (const radio of document.querySelectorAll('.ways > input')) {
  radio.addEventListener('change', () => {
    for (const other of document.querySelectorAll('.ways > input')) {
      if (other.value === radio.value) other.checked = true;
    }
  });
}
