// Draws the loudness of a sound over time above its player; a click plays from there.
const COLUMNS = 400;
const HEIGHT = 64;

async function draw(figure) {
  const response = await fetch(figure.dataset.waveform);
  if (!response.ok) return;
  const context = new OfflineAudioContext(1, 1, 8000);
  const sound = await context.decodeAudioData(await response.arrayBuffer());
  const samples = sound.getChannelData(0);
  const canvas = document.createElement('canvas');
  canvas.width = COLUMNS;
  canvas.height = HEIGHT;
  canvas.className = 'waveform';
  canvas.setAttribute('aria-hidden', 'true');
  const player = figure.querySelector('audio');
  figure.prepend(canvas);
  const pencil = canvas.getContext('2d');
  pencil.fillStyle = getComputedStyle(canvas).color;
  for (let column = 0; column < COLUMNS; column++) {
    const from = Math.floor((column * samples.length) / COLUMNS);
    const to = Math.floor(((column + 1) * samples.length) / COLUMNS);
    let peak = 0;
    for (let index = from; index < to; index++) peak = Math.max(peak, Math.abs(samples[index]));
    const height = Math.max(1, Math.min(1, peak) * HEIGHT);
    pencil.fillRect(column, (HEIGHT - height) / 2, 1, height);
  }
  canvas.addEventListener('click', ({ offsetX }) => {
    player.currentTime = (offsetX / canvas.clientWidth) * sound.duration;
    player.play();
  });
}

for (const figure of document.querySelectorAll('[data-waveform]')) {
  // A format that the browser cannot decode has its player, or its download, all the same.
  draw(figure).catch(() => {});
}
