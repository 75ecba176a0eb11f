/** A page of a sharing service whose link is often used by mistake instead of the link to the file. */
interface SharePage {
  /** Host names; each includes its `www` subdomain, and `*.` in front matches every subdomain. */
  hosts: readonly string[];
  /** True only if the URL is certainly a page. Must be false for direct links on the same host. */
  isPage: (url: URL) => boolean;
  /** Service name, as in "The URL is a page of YouTube". */
  service: string;
  /** How to get a direct link to the file. */
  direct: (url: URL) => string;
}

const upload = (service: string) => () =>
  `${service} does not offer direct links to files. Give a link to your own copy stored elsewhere, for example in a bucket.`;
const anyPath = () => true;
const path = (pattern: RegExp) => (url: URL) => pattern.test(url.pathname);
const has = (url: URL, ...pairs: readonly (readonly [name: string, value: string])[]) =>
  pairs.some(([name, value]) => url.searchParams.get(name) === value);

/** Returns the link with one parameter set. */
function withParameter(url: URL, name: string, value: string): string {
  const direct = new URL(url);
  direct.searchParams.set(name, value);
  return direct.href;
}

const driveFile = /^\/file\/(?:u\/\d+\/)?d\/([\w-]+)/;

function driveLink(url: URL): string {
  const id = driveFile.exec(url.pathname)?.[1] ?? url.searchParams.get('id');
  return id
    ? `Share the file with everyone who has the link and use https://drive.google.com/uc?export=download&id=${encodeURIComponent(id)}`
    : 'Share one file of the folder and use https://drive.google.com/uc?export=download&id= followed by the id of that file.';
}

export const sharePages: readonly SharePage[] = [
  {
    service: 'YouTube',
    hosts: ['youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtube-nocookie.com'],
    isPage: path(
      /^\/(watch|playlist|results|feed|(shorts|embed|live|v|e|clip|channel|c|user|post)\/.+|@.+)$/,
    ),
    direct: upload('YouTube'),
  },
  { service: 'YouTube', hosts: ['youtu.be'], isPage: anyPath, direct: upload('YouTube') },
  {
    service: 'Vimeo',
    hosts: ['vimeo.com'],
    isPage: path(
      /^\/(\d+(\/\w+)?|(channels|groups|album|showcase|ondemand|event|manage|user\d+)\/.+|watch|user\d+)\/?$/,
    ),
    direct: () => 'Give a link to the file: use "Download" on Vimeo, or the file links of a paid Vimeo plan.',
  },
  {
    service: 'Vimeo',
    hosts: ['player.vimeo.com'],
    isPage: path(/^\/video\/\d+\/?$/),
    direct: () => 'Give a link to the file: use "Download" on Vimeo, or the file links of a paid Vimeo plan.',
  },
  {
    service: 'TikTok',
    hosts: ['tiktok.com', 'm.tiktok.com'],
    isPage: path(/^\/(@[^/]+(\/(video|photo|live).*)?|t\/.+|v\/\d+\.html|embed\/.+|tag\/.+|music\/.+)\/?$/),
    direct: upload('TikTok'),
  },
  { service: 'TikTok', hosts: ['vm.tiktok.com', 'vt.tiktok.com'], isPage: anyPath, direct: upload('TikTok') },
  {
    service: 'Instagram',
    hosts: ['instagram.com', 'm.instagram.com'],
    isPage: path(/^\/([\w.]+\/)?(p|reel|reels|tv|stories|share)\/(?!.*\/media\/?$).+$/),
    direct: upload('Instagram'),
  },
  {
    service: 'Facebook',
    hosts: ['facebook.com', 'm.facebook.com', 'web.facebook.com'],
    isPage: path(/^\/(watch|reel|share|story\.php|video\.php|permalink\.php|[^/]+\/(videos|posts))(\/.*)?$/),
    direct: upload('Facebook'),
  },
  { service: 'Facebook', hosts: ['fb.watch'], isPage: anyPath, direct: upload('Facebook') },
  {
    service: 'X',
    hosts: ['x.com', 'twitter.com', 'mobile.twitter.com'],
    isPage: path(/^\/([^/]+|i\/web)\/status\/\d+/),
    direct: upload('X'),
  },
  {
    service: 'Twitch',
    hosts: ['twitch.tv', 'm.twitch.tv', 'clips.twitch.tv'],
    isPage: path(/^\/(videos\/\d+|[^/]+\/clip\/.+|[\w-]+)\/?$/),
    direct: upload('Twitch'),
  },
  {
    service: 'Dailymotion',
    hosts: ['dailymotion.com'],
    isPage: path(/^\/(embed\/)?(video|playlist)\/.+$/),
    direct: upload('Dailymotion'),
  },
  { service: 'Dailymotion', hosts: ['dai.ly'], isPage: anyPath, direct: upload('Dailymotion') },
  {
    service: 'Bilibili',
    hosts: ['bilibili.com', 'm.bilibili.com'],
    isPage: path(/^\/(video|bangumi)\/.+$/),
    direct: upload('Bilibili'),
  },
  {
    service: 'Reddit',
    hosts: ['reddit.com', 'old.reddit.com'],
    isPage: path(/^\/(r|user)\/[^/]+\/(comments|s)\/.+$/),
    direct: upload('Reddit'),
  },
  {
    service: 'Loom',
    hosts: ['loom.com'],
    isPage: path(/^\/(share|embed)\/.+$/),
    direct: () => 'Download the video from Loom and give a link to that file.',
  },
  {
    service: 'Google Drive',
    hosts: ['drive.google.com', 'docs.google.com'],
    isPage: ({ pathname, searchParams }) =>
      driveFile.test(pathname) ||
      /^\/drive\//.test(pathname) ||
      (pathname === '/open' && searchParams.has('id')),
    direct: driveLink,
  },
  {
    service: 'Google Docs',
    hosts: ['docs.google.com'],
    isPage: path(/^\/(document|spreadsheets|presentation|forms)\/.*\/(edit|view|preview)$/),
    direct: () => 'Give a link to a video, audio or image file.',
  },
  {
    service: 'Google Photos',
    hosts: ['photos.google.com', 'photos.app.goo.gl'],
    isPage: anyPath,
    direct: () => 'Download the file from Google Photos and give a link to that copy.',
  },
  {
    service: 'Dropbox',
    hosts: ['dropbox.com'],
    isPage: (url) =>
      /^\/(s|sh|scl|t|transfer|home|preview)(\/|$)/.test(url.pathname) &&
      !has(url, ['dl', '1'], ['raw', '1']),
    direct: (url) =>
      /^\/(s|scl\/fi)\//.test(url.pathname)
        ? `Use the same link with dl=1 in place of dl=0: ${withParameter(url, 'dl', '1')}`
        : 'Share one file of the folder, and use its link with dl=1 in place of dl=0.',
  },
  {
    service: 'OneDrive',
    hosts: ['1drv.ms'],
    isPage: (url) => !has(url, ['download', '1']),
    direct: (url) => `Use the same link with download=1: ${withParameter(url, 'download', '1')}`,
  },
  {
    service: 'OneDrive',
    hosts: ['onedrive.live.com', 'onedrive.com'],
    isPage: (url) =>
      /^\/($|redir$|embed$|(view|edit)(\.aspx)?$|photos|about)/.test(url.pathname) &&
      !has(url, ['download', '1']),
    direct: () =>
      'In OneDrive, choose "Download" and use the link that it leads to, or host the file elsewhere.',
  },
  {
    service: 'SharePoint',
    hosts: ['*.sharepoint.com'],
    isPage: (url) =>
      (/^\/:[a-z]:\//.test(url.pathname) || /\/_layouts\/15\/(stream|onedrive)\.aspx$/i.test(url.pathname)) &&
      !has(url, ['download', '1']),
    direct: (url) =>
      url.pathname.startsWith('/:')
        ? `Use the same link with download=1: ${withParameter(url, 'download', '1')}`
        : 'Use the "Download" link of the file.',
  },
  {
    service: 'iCloud',
    hosts: ['icloud.com', 'share.icloud.com'],
    isPage: (url) =>
      url.hostname === 'share.icloud.com' ||
      /^\/(iclouddrive|photos|sharedalbum|attachment)/.test(url.pathname),
    direct: () =>
      'Download the file from iCloud and give a link to a copy of your own that is stored elsewhere.',
  },
  { service: 'WeTransfer', hosts: ['we.tl'], isPage: anyPath, direct: upload('WeTransfer') },
  {
    service: 'WeTransfer',
    hosts: ['wetransfer.com', '*.wetransfer.com'],
    isPage: ({ hostname, pathname }) =>
      !hostname.startsWith('download.') && /^\/(downloads|previews)\/.+$/.test(pathname),
    direct: upload('WeTransfer'),
  },
  {
    service: 'Box',
    hosts: ['box.com', '*.box.com'],
    isPage: path(/^\/(s|v|file|folder)\/[^/]+$/),
    direct: () => 'In Box, use the direct link of the shared file (…/shared/static/…).',
  },
  {
    service: 'MEGA',
    hosts: ['mega.nz', 'mega.io'],
    isPage: path(/^\/(file|folder|embed)\/.+$|^\/$/),
    direct: upload('MEGA'),
  },
  { service: 'Spotify', hosts: ['open.spotify.com'], isPage: anyPath, direct: upload('Spotify') },
  {
    service: 'SoundCloud',
    hosts: ['soundcloud.com', 'm.soundcloud.com', 'on.soundcloud.com'],
    isPage: path(/^\/[^/]+(?:\/[^/]+)*\/?$/),
    direct: () => 'Download the file from SoundCloud if it is yours, and give a link to that copy.',
  },
  {
    service: 'Zoom',
    hosts: ['*.zoom.us'],
    isPage: path(/^\/rec\/(share|play)\/.+$/),
    direct: () => 'Download the recording from Zoom and give a link to that file.',
  },
  {
    service: 'LinkedIn',
    hosts: ['linkedin.com'],
    isPage: path(/^\/(posts|feed|pulse|events)\/.+$/),
    direct: upload('LinkedIn'),
  },
  {
    service: 'Streamable',
    hosts: ['streamable.com'],
    isPage: path(/^\/(?:[eos]\/)?[a-z0-9]+\/?$/),
    direct: upload('Streamable'),
  },
  { service: 'Telegram', hosts: ['t.me', 'telegram.me'], isPage: anyPath, direct: upload('Telegram') },
  {
    service: 'Discord',
    hosts: ['discord.com'],
    isPage: path(/^\/channels\/.+$/),
    direct: () => 'In Discord, use "Copy Link" of the file itself, which expires after a day.',
  },
  {
    service: 'GitHub',
    hosts: ['github.com'],
    isPage: (url) =>
      /^\/[^/]+\/[^/]+\/blob\/.+$/.test(url.pathname) && !has(url, ['raw', 'true'], ['raw', '1']),
    direct: (url) => `Use ${url.origin}${url.pathname.replace('/blob/', '/raw/')}`,
  },
];
