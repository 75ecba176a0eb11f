import { describe, expect, test } from 'vitest';
import { sharePageProblem } from '../../../worker/lib/share-page.ts';

/** Links as people copy them from a browser or an app, and a part of what they are told. */
const pages: [url: string, told: string][] = [
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'YouTube'],
  ['https://youtube.com/watch?v=dQw4w9WgXcQ&t=10s', 'YouTube'],
  ['https://m.youtube.com/watch?v=dQw4w9WgXcQ', 'YouTube'],
  ['https://music.youtube.com/watch?v=dQw4w9WgXcQ', 'YouTube'],
  ['https://www.youtube.com/shorts/abcdefghijk', 'YouTube'],
  ['https://www.youtube.com/embed/abcdefghijk', 'YouTube'],
  ['https://www.youtube.com/@name/videos', 'YouTube'],
  ['https://YOUTU.BE/dQw4w9WgXcQ?si=abc', 'YouTube'],
  ['https://vimeo.com/76979871', 'Vimeo'],
  ['https://vimeo.com/76979871/0123abcd', 'Vimeo'],
  ['https://vimeo.com/channels/staffpicks/76979871', 'Vimeo'],
  ['https://player.vimeo.com/video/76979871?h=0123', 'Vimeo'],
  ['https://www.tiktok.com/@name/video/7106594312292453675', 'TikTok'],
  ['https://vm.tiktok.com/ZMabc/', 'TikTok'],
  ['https://www.instagram.com/reel/Cabc123/', 'Instagram'],
  ['https://www.instagram.com/name/p/Cabc123/?igsh=x', 'Instagram'],
  ['https://www.facebook.com/watch/?v=123', 'Facebook'],
  ['https://fb.watch/abc/', 'Facebook'],
  ['https://x.com/name/status/1234567890', 'a page of X'],
  ['https://www.twitch.tv/videos/12345', 'Twitch'],
  ['https://www.dailymotion.com/video/x8abc', 'Dailymotion'],
  ['https://www.loom.com/share/0123', 'Loom'],
  [
    'https://drive.google.com/file/d/1AbC_d-2/view?usp=sharing',
    'https://drive.google.com/uc?export=download&id=1AbC_d-2',
  ],
  ['https://drive.google.com/file/u/1/d/1AbC_d-2/preview', 'uc?export=download&id=1AbC_d-2'],
  ['https://drive.google.com/open?id=1AbC_d-2', 'uc?export=download&id=1AbC_d-2'],
  ['https://docs.google.com/file/d/1AbC_d-2/edit', 'uc?export=download&id=1AbC_d-2'],
  ['https://drive.google.com/drive/folders/1AbC?usp=sharing', 'Share one file of the folder'],
  ['https://docs.google.com/document/d/1AbC/edit', 'Google Docs'],
  ['https://photos.app.goo.gl/AbC123', 'Google Photos'],
  ['https://www.dropbox.com/s/abc/talk.mp4?dl=0', 'https://www.dropbox.com/s/abc/talk.mp4?dl=1'],
  ['https://www.dropbox.com/s/abc/talk.mp4', 'https://www.dropbox.com/s/abc/talk.mp4?dl=1'],
  [
    'https://www.dropbox.com/scl/fi/abc/talk.mp4?rlkey=x&st=y&dl=0',
    'https://www.dropbox.com/scl/fi/abc/talk.mp4?rlkey=x&st=y&dl=1',
  ],
  ['https://www.dropbox.com/scl/fo/abc/h?rlkey=x&dl=0', 'Share one file of the folder'],
  ['https://1drv.ms/v/s!AbC', 'https://1drv.ms/v/s!AbC?download=1'],
  ['https://onedrive.live.com/?id=ABC&cid=DEF', 'OneDrive'],
  ['https://onedrive.live.com/embed?resid=A&authkey=B', 'OneDrive'],
  ['https://name-my.sharepoint.com/:v:/g/personal/x/EAbC?e=1', 'download=1'],
  ['https://www.icloud.com/iclouddrive/0abC#talk', 'iCloud'],
  ['https://share.icloud.com/photos/0abC', 'iCloud'],
  ['https://we.tl/t-AbC', 'WeTransfer'],
  ['https://wetransfer.com/downloads/0123/4567', 'WeTransfer'],
  ['https://name.wetransfer.com/downloads/0123/4567', 'WeTransfer'],
  ['https://app.box.com/s/0123abc', 'Box'],
  ['https://open.spotify.com/episode/0abC?si=x', 'Spotify'],
  ['https://soundcloud.com/name/a-song', 'SoundCloud'],
  ['https://name.zoom.us/rec/share/0abC', 'Zoom'],
  ['https://www.linkedin.com/posts/name_activity-1', 'LinkedIn'],
  ['https://streamable.com/ab12cd', 'Streamable'],
  ['https://t.me/name/12', 'Telegram'],
  ['https://discord.com/channels/1/2/3', 'Discord'],
  ['https://mega.nz/file/abc#key', 'MEGA'],
  ['https://github.com/o/r/blob/main/talk.mp4', 'https://github.com/o/r/raw/main/talk.mp4'],
];

/** Links to files, many of the same hosts. */
const files = [
  'https://media.example.com/watch?v=1',
  'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
  'https://youtube.com.example.com/watch?v=1',
  'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg',
  'https://rr3---sn-abc.googlevideo.com/videoplayback?expire=1',
  'https://www.youtube.com/s/desktop/abc/img/favicon_144x144.png',
  'https://player.vimeo.com/external/76979871.hd.mp4?s=abc',
  'https://player.vimeo.com/progressive_redirect/playback/76979871/rendition/720p/file.mp4?loc=external',
  'https://vod-progressive.akamaized.net/exp=1/vimeo.mp4',
  'https://vimeo.com/76979871.mp4',
  'https://v16-webapp.tiktok.com/video/tos/abc/',
  'https://scontent.cdninstagram.com/v/t50.2886-16/abc.mp4',
  'https://www.instagram.com/p/Cabc123/media/?size=l',
  'https://video.xx.fbcdn.net/v/t42/abc.mp4',
  'https://video.twimg.com/ext_tw_video/1/pu/vid/abc.mp4',
  'https://drive.google.com/uc?export=download&id=1AbC',
  'https://drive.google.com/uc?id=1AbC',
  'https://drive.google.com/u/0/uc?id=1AbC&export=download',
  'https://drive.usercontent.google.com/download?id=1AbC&confirm=t',
  'https://docs.google.com/uc?export=download&id=1AbC',
  'https://docs.google.com/presentation/d/1AbC/export/png',
  'https://lh3.googleusercontent.com/abc=dv',
  'https://www.dropbox.com/s/abc/talk.mp4?dl=1',
  'https://www.dropbox.com/scl/fi/abc/talk.mp4?rlkey=x&raw=1',
  'https://dl.dropboxusercontent.com/s/abc/talk.mp4',
  'https://dl.dropbox.com/s/abc/talk.mp4',
  'https://1drv.ms/v/s!AbC?download=1',
  'https://onedrive.live.com/download?resid=A&authkey=B',
  'https://api.onedrive.com/v1.0/shares/u!abc/root/content',
  'https://name-my.sharepoint.com/:v:/g/personal/x/EAbC?download=1',
  'https://name.sharepoint.com/sites/a/_layouts/15/download.aspx?UniqueId=1',
  'https://name.sharepoint.com/sites/a/Shared%20Documents/talk.mp4',
  'https://cvws.icloud-content.com/B/abc/talk.mp4',
  'https://download.wetransfer.com/eugv/abc/talk.mp4',
  'https://app.box.com/shared/static/abc.mp4',
  'https://github.com/o/r/raw/main/talk.mp4',
  'https://github.com/o/r/blob/main/talk.mp4?raw=true',
  'https://github.com/o/r/releases/download/v1/talk.mp4',
  'https://raw.githubusercontent.com/o/r/main/talk.mp4',
  'task_01jabc',
];

describe('a link to a page', () => {
  test.each(pages)('%s is told apart, with what to do', (url, told) => {
    expect(sharePageProblem(url)).toContain(told);
  });
});

describe('a link to a file', () => {
  test.each(files)('%s passes', (url) => {
    expect(sharePageProblem(url)).toBeNull();
  });
});
