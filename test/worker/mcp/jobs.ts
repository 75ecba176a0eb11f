/** A call that a job needs. `"FIRST"` in its arguments is the result of the call before, `"FILE"` the file that was uploaded. */
interface Call {
  tool: string;
  args: Record<string, unknown>;
}

interface Job {
  /** What a user asks for, in plain words. */
  job: string;
  calls: readonly Call[];
  /** The file is on the disk of the user. */
  upload?: true;
}

const at = (name: string) => `https://media.example.com/${name}`;
const talk = at('talk.mp4');
const song = at('song.mp3');

const one = (job: string, tool: string, args: Record<string, unknown>): Job => ({
  job,
  calls: [{ tool, args }],
});
const local = (job: string, tool: string, args: Record<string, unknown>): Job => ({
  ...one(job, tool, args),
  upload: true,
});
const two = (job: string, first: Call, second: Call): Job => ({ job, calls: [first, second] });

/**
 * Forty jobs with the tools and arguments that they need, written down before they were tried. Twenty need one tool, ten a file
 * from the disk, ten two tools.
 */
export const jobs: readonly Job[] = [
  one('Cut out the part from 1:30 to 2:10', 'cut_video', { video_url: talk, start: 90, end: 130 }),
  one('Keep only the intro and the last answer', 'cut_video', {
    video_url: talk,
    segments: [
      { start: 0, end: 12 },
      { start: 300, end: 345.5 },
    ],
  }),
  one('Give me the first 20 seconds and fade it out', 'cut_video', {
    video_url: talk,
    duration: 20,
    fade_out: 1,
  }),
  one('Make this vertical for TikTok, with a blurred background', 'crop_video', {
    video_url: talk,
    aspect_ratio: '9:16',
    fill: 'blur',
  }),
  one('Crop it to a square around the speaker on the left', 'crop_video', {
    video_url: talk,
    aspect_ratio: '1:1',
    anchor: 'left',
  }),
  one('Convert this MOV to a 720p WebM', 'convert_media', {
    video_url: at('talk.mov'),
    format: 'webm',
    height: 720,
  }),
  one('I need the sound as an MP3', 'convert_media', { video_url: talk, audio_only: true, format: 'mp3' }),
  one('It is too quiet, bring it to -16 LUFS', 'convert_media', { video_url: talk, normalize_lufs: -16 }),
  one('Remove the pauses from my podcast', 'remove_silence', { audio_url: at('podcast.mp3') }),
  one('Speed the silent parts up instead of cutting them', 'remove_silence', {
    video_url: talk,
    mode: 'speed_up',
  }),
  one('Join these three clips with a fade', 'merge_videos', {
    urls: [at('a.mp4'), at('b.mp4'), at('c.mp4')],
    transition: 'fade',
  }),
  one('Put this voice recording over the video', 'replace_audio', {
    video_url: talk,
    voice_url: at('voice.mp3'),
  }),
  one('Read this text over the tour', 'dub_video', {
    video_url: at('tour.mp4'),
    script: 'Welcome to the tour.',
  }),
  one('Add TikTok captions, one word at a time', 'caption_video', {
    video_url: talk,
    preset: 'word_pop',
    safe_area: 'tiktok',
  }),
  one('Transcribe the interview to an SRT file', 'transcribe_media', {
    video_url: talk,
    outputs: ['srt'],
  }),
  one('Make a karaoke track of this song', 'separate_vocals', { audio_url: song }),
  one('Turn my song into a video with moving bars and its title', 'visualize_audio', {
    audio_url: song,
    style: 'bars',
    title: 'Night Drive',
  }),
  one('Make a slideshow of these photos with music', 'animate_photos', {
    photo_urls: [at('1.jpg'), at('2.jpg')],
    audio_url: song,
  }),
  one('I need the last frame to go on from there', 'extract_last_frame', { video_url: talk }),
  one('How long is this file, and which codec does it have?', 'inspect_media', { url: talk }),

  local('Trim the recording on my desktop to the first minute', 'cut_video', {
    video_url: 'FILE',
    duration: 60,
  }),
  local('Caption the video that I just exported', 'caption_video', { video_url: 'FILE', language: 'en' }),
  local('Make this file on my disk vertical', 'crop_video', { video_url: 'FILE', aspect_ratio: '9:16' }),
  local('Compress my screen recording to 720p', 'convert_media', { video_url: 'FILE', height: 720 }),
  local('Clean up my voice memo', 'remove_silence', { audio_url: 'FILE' }),
  local('Six thumbnails of my film on one sheet', 'extract_frames', {
    video_url: 'FILE',
    count: 6,
    sheet: true,
  }),
  local('Make my voice deeper in this clip, it is mine', 'change_voice', {
    video_url: 'FILE',
    voice_id: 'deep',
    consent: true,
  }),
  local('Put the intro from my disk in front of the talk', 'merge_videos', { urls: ['FILE', talk] }),
  local('Animate the photo in my downloads', 'animate_photos', { photo_url: 'FILE', preset: 'ken_burns' }),
  local('Take the vocals out of this MP3 of mine', 'separate_vocals', {
    audio_url: 'FILE',
    stems: ['music'],
  }),

  two(
    'Cut 0:30 to 1:00 and make it vertical',
    { tool: 'cut_video', args: { video_url: talk, start: 30, end: 60 } },
    { tool: 'crop_video', args: { video_url: 'FIRST', aspect_ratio: '9:16' } },
  ),
  two(
    'Cut the best part and caption it',
    { tool: 'cut_video', args: { video_url: talk, start: 30, duration: 20 } },
    { tool: 'caption_video', args: { video_url: 'FIRST', preset: 'highlight' } },
  ),
  two(
    'Remove the pauses, then add captions',
    { tool: 'remove_silence', args: { video_url: talk } },
    { tool: 'caption_video', args: { video_url: 'FIRST' } },
  ),
  two(
    'Clean the podcast and set its loudness',
    { tool: 'remove_silence', args: { audio_url: at('podcast.mp3') } },
    { tool: 'convert_media', args: { video_url: 'FIRST', audio_only: true, normalize_lufs: -16 } },
  ),
  two(
    'Join the clips and put music under them that I send you',
    { tool: 'merge_videos', args: { urls: [at('a.mp4'), at('b.mp4')] } },
    { tool: 'replace_audio', args: { video_url: 'FIRST', voice_url: song, mode: 'mix' } },
  ),
  two(
    'Dub the tour and make it vertical',
    { tool: 'dub_video', args: { video_url: at('tour.mp4'), script: 'Welcome to the tour.' } },
    { tool: 'crop_video', args: { video_url: 'FIRST', aspect_ratio: '9:16' } },
  ),
  two(
    'Take the sound of the concert and make a video with waves of it',
    { tool: 'convert_media', args: { video_url: talk, audio_only: true } },
    { tool: 'visualize_audio', args: { audio_url: 'FIRST', style: 'wave' } },
  ),
  two(
    'Make the slideshow, then speak this text over it',
    { tool: 'animate_photos', args: { photo_urls: [at('1.jpg'), at('2.jpg')] } },
    { tool: 'dub_video', args: { video_url: 'FIRST', script: 'This was our summer.' } },
  ),
  two(
    'Cut the end off and give me the last frame of the rest',
    { tool: 'cut_video', args: { video_url: talk, end: 50 } },
    { tool: 'extract_last_frame', args: { video_url: 'FIRST' } },
  ),
  two(
    'Turn the MOV into an MP4 and take a picture every ten seconds',
    { tool: 'convert_media', args: { video_url: at('talk.mov'), format: 'mp4' } },
    { tool: 'extract_frames', args: { video_url: 'FIRST', timestamps: [10, 20, 30] } },
  ),
];
