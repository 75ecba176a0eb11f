/**
 * What the player does inside the browser. The frame number is read as barcode.ts reads it: eight columns and two rows of
 * cells, white for one, in the middle of the picture.
 */
const video = document.querySelector('video');
const canvas = document.querySelector('canvas');
const picture = canvas.getContext('2d', { willReadFrequently: true });
const events = [];
// Not `waiting`: it tells of a machine that is too busy to decode in time, too.
for (const name of ['error', 'stalled', 'abort', 'emptied']) {
  video.addEventListener(name, () => events.push(name));
}

const once = (name) =>
  new Promise((resolve, reject) => {
    const failed = () => reject(new Error(`${name}: ${video.error?.message ?? 'the video failed'}`));
    video.addEventListener('error', failed, { once: true });
    video.addEventListener(name, () => resolve(), { once: true });
  });

/** Opens an address, ready to show the first frame; gives what the browser says of it. */
async function openMedia(url) {
  const ready = once('canplaythrough');
  video.src = url;
  await ready;
  events.length = 0;
  return { duration: video.duration, width: video.videoWidth, height: video.videoHeight };
}

function numberIn(image, { x, y, cell }) {
  picture.drawImage(image, 0, 0, canvas.width, canvas.height);
  let number = 0;
  for (let bit = 0; bit < 16; bit++) {
    const [left, top] = [x + (bit % 8) * cell + cell / 4, y + Math.floor(bit / 8) * cell + cell / 4];
    const { data } = picture.getImageData(left, top, cell / 2, cell / 2);
    let level = 0;
    for (let at = 0; at < data.length; at += 4) level += data[at] / (data.length / 4);
    if (level > 127) number += 2 ** bit;
  }
  return number;
}

/** Resolves when the frame at this time is shown, which may be later than the event says. */
async function seek(time) {
  const sought = once('seeked');
  const shown = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
  video.currentTime = time;
  await sought;
  await shown;
}

/** Seeks to each time in turn and gives the number that is shown there. */
async function numbersAt(times, code) {
  const numbers = [];
  for (const time of times) {
    await seek(time);
    numbers.push(numberIn(video, code));
  }
  return { numbers, events };
}

/** Plays from the start to the end; gives the frames that were presented. */
async function playThrough(rate, code) {
  await seek(0);
  events.length = 0;
  const frames = [];
  const onFrame = (_, { mediaTime }) => {
    // The callback may come late: the frame itself says when it stands in the media.
    const frame = new VideoFrame(video);
    frames.push({ mediaTime, time: frame.timestamp / 1e6, number: numberIn(frame, code) });
    frame.close();
    video.requestVideoFrameCallback(onFrame);
  };
  video.requestVideoFrameCallback(onFrame);
  video.playbackRate = rate;
  const ended = once('ended');
  await video.play();
  await ended;
  return { frames, events, end: video.currentTime };
}

Object.assign(globalThis, { openMedia, numbersAt, playThrough });
