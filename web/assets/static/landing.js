/** A play button on the poster. Without script, the controls of the player do it. */
for (const video of document.querySelectorAll('.result video')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'play';
  button.setAttribute('aria-label', `Play: ${video.getAttribute('aria-label')}`);
  button.addEventListener('click', () => {
    video.play().catch(() => {});
    video.focus();
  });
  video.addEventListener('play', () => {
    button.hidden = true;
    video.controls = true;
  });
  video.addEventListener('ended', () => {
    button.hidden = false;
    video.controls = false;
  });
  video.controls = false;
  video.after(button);
}

for (const radio of document.querySelectorAll('.tabs > input')) {
  radio.addEventListener('change', () => {
    for (const media of document.querySelectorAll('.result :is(video, audio)')) media.pause();
  });
}
