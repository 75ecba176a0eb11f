// Printed from the registry by `npm run generate`.

import type { Command } from '../flags.ts';

export const commands: readonly Command[] = [
  {
    "name": "cut",
    "method": "cut",
    "path": "/cut",
    "summary": "Cut a video or audio file with frame accuracy, or join several ranges of it.",
    "required": [],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "start",
        "type": "number 0–360000 | \"HH:MM:SS.mmm\"",
        "description": "Start of the cut in seconds; 0 by default. Video starts at the nearest frame, audio-only cuts start at the exact sample.",
        "numeric": true
      },
      {
        "field": "duration",
        "type": "number 0.001–360000 | \"HH:MM:SS.mmm\"",
        "description": "Length of the cut in seconds. Give either `duration` or `end`.",
        "numeric": true
      },
      {
        "field": "end",
        "type": "number 0.001–360000 | \"HH:MM:SS.mmm\"",
        "description": "End of the cut in seconds. Give either `end` or `duration`. Video ends at the frame boundary nearest to this time.",
        "numeric": true
      },
      {
        "field": "segments",
        "type": "array of {start, end}, 1–100 items",
        "description": "Ranges to keep, joined in the given order. Use it instead of `start`, `duration` and `end`.",
        "list": true
      },
      {
        "field": "mode",
        "type": "\"precise\" | \"keyframe\"",
        "description": "`precise` is exact to the frame. `keyframe` copies every frame and starts at keyframes; a `codec` or `format` that needs re-encoding makes it `precise`, and so do several ranges of HEVC that cannot be joined without it.",
        "values": [
          "precise",
          "keyframe"
        ]
      },
      {
        "field": "audio",
        "type": "\"keep\" | \"mute\"",
        "description": "`keep` keeps the audio, `mute` removes it.",
        "values": [
          "keep",
          "mute"
        ]
      },
      {
        "field": "fade_in",
        "type": "number 0–10",
        "description": "Fade-in from black and silence, in seconds.",
        "numeric": true
      },
      {
        "field": "fade_out",
        "type": "number 0–10",
        "description": "Fade-out to black and silence, in seconds.",
        "numeric": true
      },
      {
        "field": "tracks",
        "type": "\"all\" | \"first\"",
        "description": "`all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters.",
        "values": [
          "all",
          "first"
        ]
      },
      {
        "field": "audio_track",
        "type": "integer 0–63",
        "description": "Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first.",
        "numeric": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "deinterlace",
        "type": "\"auto\" | \"never\" | \"always\"",
        "description": "How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced.",
        "values": [
          "auto",
          "never",
          "always"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "trim",
      "trim_video",
      "trim_audio",
      "clip",
      "clip_video",
      "cut_audio",
      "split",
      "subclip",
      "extract_clip",
      "shorten"
    ],
    "examples": [
      {
        "title": "Five seconds, starting at 1.5 s",
        "line": "spool cut talk.mp4 --start 1.5 --duration 5"
      },
      {
        "title": "Two ranges joined, with fades",
        "line": "spool cut talk.mp4 --segments '[{\"start\":0,\"end\":4},{\"start\":\"00:00:07.500\",\"end\":\"00:00:10\"}]' --fade-in 0.5 --fade-out 0.5"
      }
    ]
  },
  {
    "name": "crop",
    "method": "crop",
    "path": "/crop",
    "summary": "Crop a video to a rectangle or to an aspect ratio.",
    "required": [
      "video_url"
    ],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "x",
        "type": "integer 0–16384 | \"12.5%\"",
        "description": "Left edge of the rectangle, in pixels of the displayed picture or as a percentage of its side.",
        "numeric": true
      },
      {
        "field": "y",
        "type": "integer 0–16384 | \"12.5%\"",
        "description": "Top edge of the rectangle, in pixels of the displayed picture or as a percentage of its side.",
        "numeric": true
      },
      {
        "field": "width",
        "type": "integer 2–16384 | \"12.5%\"",
        "description": "Width of the rectangle, in pixels of the displayed picture or as a percentage of its side; at least 2 px.",
        "numeric": true
      },
      {
        "field": "height",
        "type": "integer 2–16384 | \"12.5%\"",
        "description": "Height of the rectangle, in pixels of the displayed picture or as a percentage of its side; at least 2 px.",
        "numeric": true
      },
      {
        "field": "aspect_ratio",
        "type": "\"W:H\"",
        "description": "Aspect ratio of the output, such as `9:16`. Use it instead of a rectangle."
      },
      {
        "field": "anchor",
        "type": "\"top_left\" | \"top\" | \"top_right\" | \"left\" | \"center\" | \"right\" | \"bottom_left\" | \"bottom\" | \"bottom_right\" | \"auto\"",
        "description": "With `aspect_ratio`: the part of the picture to keep (`fill: crop`), or the position of the picture (`fill: pad` and `blur`). `auto` keeps the subject: the faces that are in the video longest, otherwise what stands out or moves, otherwise the center. It also places a rectangle that has only `width` and `height`.",
        "values": [
          "top_left",
          "top",
          "top_right",
          "left",
          "center",
          "right",
          "bottom_left",
          "bottom",
          "bottom_right",
          "auto"
        ]
      },
      {
        "field": "follow",
        "type": "\"none\" | \"subject\"",
        "description": "`subject` moves the crop with the subject (see `anchor: auto`). The crop stands still while the subject stays near its middle, otherwise moves smoothly, and jumps only where a new scene begins. The movement is in `path` of the result. Needs an `aspect_ratio`, or `width` and `height`.",
        "values": [
          "none",
          "subject"
        ]
      },
      {
        "field": "path",
        "type": "array of {time, x, y, ease}, 1–500 items",
        "description": "Moves the crop along these points, such as the `path` of an earlier result, edited or not. The place of the crop depends only on the time of each frame. Needs an `aspect_ratio`, or `width` and `height`.",
        "list": true
      },
      {
        "field": "fill",
        "type": "\"crop\" | \"pad\" | \"blur\"",
        "description": "How the picture is fitted to `aspect_ratio`: `crop` cuts it, `pad` adds bars, `blur` adds a blurred background.",
        "values": [
          "crop",
          "pad",
          "blur"
        ]
      },
      {
        "field": "output_width",
        "type": "integer 16–4096",
        "description": "Width of the output in pixels, rounded down to an even number. Without `output_height`, the aspect ratio is kept. With both, the output has exactly this size: a cropped picture is stretched to it, and `fill: pad` and `blur` fit the picture into it.",
        "numeric": true
      },
      {
        "field": "output_height",
        "type": "integer 16–4096",
        "description": "Height of the output in pixels, rounded down to an even number. Without `output_width`, the aspect ratio is kept. With both, the output has exactly this size: a cropped picture is stretched to it, and `fill: pad` and `blur` fit the picture into it.",
        "numeric": true
      },
      {
        "field": "background",
        "type": "\"#rrggbb\"",
        "description": "Color of the bars with `fill: pad`, as `#rrggbb`."
      },
      {
        "field": "tracks",
        "type": "\"all\" | \"first\"",
        "description": "`all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters.",
        "values": [
          "all",
          "first"
        ]
      },
      {
        "field": "audio_track",
        "type": "integer 0–63",
        "description": "Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first.",
        "numeric": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "deinterlace",
        "type": "\"auto\" | \"never\" | \"always\"",
        "description": "How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced.",
        "values": [
          "auto",
          "never",
          "always"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "reframe",
      "reframe_video",
      "crop_to_vertical",
      "make_vertical",
      "pad",
      "aspect_ratio"
    ],
    "examples": [
      {
        "title": "Landscape to portrait",
        "line": "spool crop talk.mp4 --aspect-ratio 9:16"
      },
      {
        "title": "Landscape to portrait, keeping the speaker in view",
        "line": "spool crop talk.mp4 --aspect-ratio 9:16 --follow subject"
      },
      {
        "title": "A rectangle",
        "line": "spool crop talk.mp4 --x 100 --y 10% --width 640 --height 360"
      },
      {
        "title": "Square on a blurred background",
        "line": "spool crop talk.mp4 --aspect-ratio 1:1 --fill blur --output-width 1080"
      }
    ]
  },
  {
    "name": "transcode",
    "method": "transcode",
    "path": "/transcode",
    "summary": "Convert a file to another container, codec, size, frame rate, bitrate or loudness.",
    "required": [
      "video_url"
    ],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, or of an audio file with `audio_only`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\" | \"mp3\" | \"m4a\" | \"wav\" | \"flac\" | \"ogg\"",
        "description": "Container format of the output. Defaults to mp4, or to mp3 with `audio_only`.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv",
          "mp3",
          "m4a",
          "wav",
          "flac",
          "ogg"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "deinterlace",
        "type": "\"auto\" | \"never\" | \"always\"",
        "description": "How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced.",
        "values": [
          "auto",
          "never",
          "always"
        ]
      },
      {
        "field": "width",
        "type": "integer 16–4096",
        "description": "Width in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "height",
        "type": "integer 16–4096",
        "description": "Height in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "fit",
        "type": "\"contain\" | \"cover\" | \"stretch\"",
        "description": "How the picture is fitted if both `width` and `height` are given. `contain` adds black bars, `cover` crops, `stretch` ignores the aspect ratio. With one side alone, the aspect ratio is kept.",
        "values": [
          "contain",
          "cover",
          "stretch"
        ]
      },
      {
        "field": "fps",
        "type": "number 1–120",
        "description": "Constant frame rate of the output. Without it, the frame times of the source are kept.",
        "numeric": true
      },
      {
        "field": "tracks",
        "type": "\"all\" | \"first\"",
        "description": "`all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters.",
        "values": [
          "all",
          "first"
        ]
      },
      {
        "field": "audio_track",
        "type": "integer 0–63",
        "description": "Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first.",
        "numeric": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "audio_codec",
        "type": "\"auto\" | \"aac\" | \"mp3\" | \"opus\" | \"vorbis\" | \"flac\" | \"pcm\"",
        "description": "Audio codec. `auto` uses the default of the format.",
        "values": [
          "auto",
          "aac",
          "mp3",
          "opus",
          "vorbis",
          "flac",
          "pcm"
        ]
      },
      {
        "field": "audio_bitrate_kbps",
        "type": "integer 32–512",
        "description": "Bitrate of lossy audio that is re-encoded, within what the codec allows. Defaults to about that of the source, 48 to 192 kbit/s per channel; for PCM, FLAC and unknown bitrates, to 80 kbit/s per channel.",
        "numeric": true
      },
      {
        "field": "audio_only",
        "type": "boolean",
        "description": "Extract the audio only. `codec`, `quality`, `deinterlace` and `tracks` then have no effect; the bitrate of the sound is `audio_bitrate_kbps`.",
        "boolean": true
      },
      {
        "field": "normalize_lufs",
        "type": "number -40–-5",
        "description": "Target loudness in LUFS (EBU R 128) of the first audio track; others keep theirs. −16 is common on the web. Sound shorter than 0.4 s has no loudness and ends the task with `all_silent`.",
        "numeric": true
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "convert",
      "convert_video",
      "convert_audio",
      "convert_format",
      "resize",
      "resize_video",
      "compress",
      "compress_video",
      "encode",
      "reencode",
      "scale",
      "extract_audio",
      "change_format"
    ],
    "examples": [
      {
        "title": "WebM at 720p",
        "line": "spool transcode talk.mov --format webm --height 720"
      },
      {
        "title": "Audio as mp3 at −16 LUFS",
        "line": "spool transcode talk.mp4 --audio-only --normalize-lufs -16"
      }
    ]
  },
  {
    "name": "remux",
    "method": "remux",
    "path": "/remux",
    "summary": "Change the container, tags, chapters, cover or tracks of a file without re-encoding, or strip private data.",
    "required": [],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "strip",
        "type": "\"none\" | \"private\" | \"all\"",
        "description": "What to remove from the source: nothing, GPS and device data (`private`), or all metadata (`all`). What `set`, `chapters`, `cover_url` and `tracks` give is kept.",
        "values": [
          "none",
          "private",
          "all"
        ]
      },
      {
        "field": "set",
        "type": "{title, artist, album_artist, album, composer, genre, date, track, disc, copyright, comment, description, lyrics}",
        "description": "Tags of the file to set; an empty text removes a tag. Other tags are kept as `strip` says."
      },
      {
        "field": "chapters",
        "type": "array of {start, title}, ≤ 500 items",
        "description": "Chapters that replace the ones of the source, in ascending order. An empty list removes them.",
        "list": true
      },
      {
        "field": "cover_url",
        "type": "URL",
        "description": "Public https:// URL of a JPEG or PNG that replaces the covers of the source, `upload:<upload_id>` or `task:<task_id>`. Its Exif is removed. mp4, m4a, mkv, mp3 and flac hold covers.",
        "source": true
      },
      {
        "field": "tracks",
        "type": "array of {index, keep, language, default, title}, ≤ 64 items",
        "description": "Tracks to drop or relabel. Tracks that are not listed are kept as they are.",
        "list": true
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\" | \"mp3\" | \"m4a\" | \"wav\" | \"flac\" | \"ogg\"",
        "description": "Container format of the output. Defaults to the container of the source if it can be written, otherwise to mkv. With an audio format, only the sound is kept.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv",
          "mp3",
          "m4a",
          "wav",
          "flac",
          "ogg"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "metadata",
      "set_metadata",
      "strip_metadata",
      "remove_metadata",
      "tag",
      "tags",
      "rewrap",
      "chapters",
      "add_chapters",
      "change_container"
    ],
    "examples": [
      {
        "title": "Remove GPS and device data, set a title",
        "line": "spool remux talk.mp4 --strip private --set '{\"title\":\"My talk\"}'"
      },
      {
        "title": "Chapters and a cover for a podcast",
        "line": "spool remux episode.m4a --set '{\"title\":\"Episode 12\",\"artist\":\"The Show\",\"album\":\"Season 2\"}' --chapters '[{\"start\":0,\"title\":\"Welcome\"},{\"start\":\"00:04:10\",\"title\":\"The interview\"}]' --cover-url cover.jpg"
      },
      {
        "title": "German by default, without the third track, as Matroska",
        "line": "spool remux film.mp4 --tracks '[{\"index\":2,\"language\":\"deu\",\"default\":true},{\"index\":3,\"keep\":false}]' --format mkv"
      }
    ]
  },
  {
    "name": "silence-process",
    "method": "silenceProcess",
    "path": "/silence_process",
    "summary": "Find the silent parts of a video or audio file and remove, speed up or mute them.",
    "required": [],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "mode",
        "type": "\"remove\" | \"detect\" | \"speed_up\" | \"mute\"",
        "description": "What happens to silences. `remove` cuts them out, `speed_up` plays them at `silent_speed`, `mute` mutes them and keeps the picture, `detect` only lists them.",
        "values": [
          "remove",
          "detect",
          "speed_up",
          "mute"
        ]
      },
      {
        "field": "threshold_db",
        "type": "number -90–0 | \"auto\"",
        "description": "Level above which sound is detected, in dBFS. `auto` follows the room: it uses 12 dB above the noise floor (the 10th percentile of the levels in the surrounding 90 seconds), or more if the noise has higher peaks. It is always below the loudest level and between −60 and −24.",
        "numeric": true
      },
      {
        "field": "detector",
        "type": "\"auto\" | \"energy\" | \"speech\"",
        "description": "What counts as sound. `auto` keeps voices and removes pauses even if there are other sounds in them, such as typing, chairs or breaths; in recordings of meetings it removes several times as much as `energy`, and sometimes a soft word, about 1 % of the speech. If the source has no voices, or with a number as `threshold_db`, it works like `energy`, which keeps everything that reaches `threshold_db`. `speech` keeps only voices, without regard to levels, and fails if there are none.",
        "values": [
          "auto",
          "energy",
          "speech"
        ]
      },
      {
        "field": "min_silence",
        "type": "number 0.05–30",
        "description": "Keep silences that are shorter than this after padding, in seconds.",
        "numeric": true
      },
      {
        "field": "padding_before",
        "type": "number 0–10",
        "description": "Seconds to keep before each sound.",
        "numeric": true
      },
      {
        "field": "padding_after",
        "type": "number 0–10",
        "description": "Seconds to keep after each sound.",
        "numeric": true
      },
      {
        "field": "min_clip",
        "type": "number 0–30",
        "description": "Treat sounds shorter than this as silence, in seconds including the padding.",
        "numeric": true
      },
      {
        "field": "keep_silence",
        "type": "number 0–5",
        "description": "Seconds to keep of each silence, half at each end. At the start or end of the source, all of them are kept next to the sound.",
        "numeric": true
      },
      {
        "field": "silent_speed",
        "type": "number 1–16",
        "description": "Playback speed of silences with `mode: speed_up`. The pitch is kept.",
        "numeric": true
      },
      {
        "field": "audio_fade_ms",
        "type": "number 0–200",
        "description": "Audio fade at each cut, in milliseconds.",
        "numeric": true
      },
      {
        "field": "segments",
        "type": "array of {start, end, action}, 1–3000 items",
        "description": "Decision list to apply instead of detection, in time order, as returned by a `detect` task or by `/edit_by_text`. Parts that are in no segment are kept, so the `silent` segments of a long list are enough.",
        "list": true
      },
      {
        "field": "protect_ranges",
        "type": "array of {start, end}, ≤ 100 items",
        "description": "Ranges to keep even if they are silent.",
        "list": true
      },
      {
        "field": "export",
        "type": "array of (\"edl\" | \"fcpxml\" | \"otio\" | \"csv\"), ≤ 4 items",
        "description": "Export the edit for editing programs. The format is the role of the file.",
        "list": true,
        "values": [
          "edl",
          "fcpxml",
          "otio",
          "csv"
        ]
      },
      {
        "field": "tracks",
        "type": "\"all\" | \"first\"",
        "description": "`all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters.",
        "values": [
          "all",
          "first"
        ]
      },
      {
        "field": "audio_track",
        "type": "integer 0–63",
        "description": "Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first.",
        "numeric": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "deinterlace",
        "type": "\"auto\" | \"never\" | \"always\"",
        "description": "How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced.",
        "values": [
          "auto",
          "never",
          "always"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "silence",
      "cut_silence",
      "trim_silence",
      "detect_silence",
      "remove_silences",
      "remove_pauses",
      "silence_remove",
      "jump_cut",
      "jump_cuts"
    ],
    "examples": [
      {
        "title": "Cut out silences",
        "line": "spool silence-process talk.mp4"
      },
      {
        "title": "List silences and export them for editing programs",
        "line": "spool silence-process talk.mp4 --mode detect --export '[\"edl\",\"fcpxml\"]'"
      },
      {
        "title": "Apply an edited list",
        "line": "spool silence-process talk.mp4 --mode speed_up --silent-speed 6 --segments '[{\"start\":0,\"end\":4.2,\"action\":\"keep\"},{\"start\":4.2,\"end\":6.9,\"action\":\"silent\"}]'"
      }
    ]
  },
  {
    "name": "edit-by-text",
    "method": "editByText",
    "path": "/edit_by_text",
    "summary": "Remove fillers, repeats, words or sentences from a video or audio file by its words, and mask profanity.",
    "required": [],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "mode",
        "type": "\"remove\" | \"detect\"",
        "description": "`remove` makes the edited file, `detect` only lists what would be cut.",
        "values": [
          "remove",
          "detect"
        ]
      },
      {
        "field": "words",
        "type": "array of {start, end, text, confidence, speaker}, 1–60000 items",
        "description": "The words of the source with their times, instead of recognition. At most 60,000 words, none longer than 1,000 characters, and 10,000 captions of 5,000 characters each.",
        "list": true
      },
      {
        "field": "words_url",
        "type": "URL",
        "description": "Public https:// URL of a JSON file of words with times, as in `words_json` of `/transcribe`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks, such as `/transcribe` with `outputs: [\"words_json\"]` (the new task waits for it to end). Use it instead of `words`.",
        "source": true
      },
      {
        "field": "language",
        "type": "string",
        "description": "Language of the speech as a BCP 47 tag, such as `en` or `pt-BR`. `auto` leaves the choice to the engine."
      },
      {
        "field": "engine",
        "type": "\"auto\" | \"speech_api\" | \"workers_ai\" | \"parakeet\" | \"parakeet_en\" | \"parakeet_small\" | \"pocketsphinx\"",
        "description": "Engine to use. `GET /capabilities` lists the available ones. `auto`: your own speech API if you send one in `X-Speech-Api-Url`, otherwise the best available engine.",
        "values": [
          "auto",
          "speech_api",
          "workers_ai",
          "parakeet",
          "parakeet_en",
          "parakeet_small",
          "pocketsphinx"
        ]
      },
      {
        "field": "vocabulary",
        "type": "array of string up to 100 characters, ≤ 200 items",
        "description": "Names and terms that occur in the speech, in their correct spelling, such as `Kubernetes`. In English, uncertain words that sound like a term are recognized again and replaced if the term is more likely. In other languages, words spelled almost like a term are replaced, which finds fewer. All other words stay unchanged. Has no effect if `words` is given.",
        "list": true
      },
      {
        "field": "remove",
        "type": "{fillers, repeats, words, phrases, ranges}",
        "description": "What to remove."
      },
      {
        "field": "keep_text",
        "type": "string up to 200000 characters",
        "description": "What stays, instead of `remove`: words of the source in their order, in any letter case and punctuation. All other words are removed."
      },
      {
        "field": "profanity",
        "type": "\"none\" | \"mute\" | \"bleep\"",
        "description": "What happens to profanity that stays, if the words are English: `mute` silences it, `bleep` covers it with a tone. In other languages, only `mask_words` are masked.",
        "values": [
          "none",
          "mute",
          "bleep"
        ]
      },
      {
        "field": "mask_words",
        "type": "array of string up to 200 characters, ≤ 200 items",
        "description": "Further words that `profanity` masks, such as names.",
        "list": true
      },
      {
        "field": "padding",
        "type": "number 0–1",
        "description": "Most seconds of a gap to keep on each side of a cut.",
        "numeric": true
      },
      {
        "field": "audio_fade_ms",
        "type": "number 0–200",
        "description": "Audio fade at each cut, in milliseconds.",
        "numeric": true
      },
      {
        "field": "export",
        "type": "array of (\"edl\" | \"fcpxml\" | \"otio\" | \"csv\"), ≤ 4 items",
        "description": "Export the edit for editing programs. The format is the role of the file.",
        "list": true,
        "values": [
          "edl",
          "fcpxml",
          "otio",
          "csv"
        ]
      },
      {
        "field": "tracks",
        "type": "\"all\" | \"first\"",
        "description": "`all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters.",
        "values": [
          "all",
          "first"
        ]
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "deinterlace",
        "type": "\"auto\" | \"never\" | \"always\"",
        "description": "How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced.",
        "values": [
          "auto",
          "never",
          "always"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "text_edit",
      "edit_transcript",
      "remove_fillers",
      "remove_filler_words",
      "remove_words",
      "bleep"
    ],
    "examples": [
      {
        "title": "Remove fillers from a talk",
        "line": "spool edit-by-text talk.mp4 --remove '{\"fillers\":true}'"
      },
      {
        "title": "Keep a part of the transcript of a podcast",
        "line": "spool edit-by-text podcast.mp3 --words-url podcast-words.json --keep-text 'Welcome back. Today we build a kite.'"
      },
      {
        "title": "Bleep profanity and a name",
        "line": "spool edit-by-text talk.mp4 --profanity bleep --mask-words '[\"Okonkwo\"]'"
      }
    ]
  },
  {
    "name": "speed",
    "method": "speed",
    "path": "/speed",
    "summary": "Change the speed of a video or audio file or of parts of it, play it backwards, rotate or flip it.",
    "required": [],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "rate",
        "type": "number 0.1–16",
        "description": "Playback speed of the whole source, from 0.1 to 16. Use either `rate` or `ranges`.",
        "numeric": true
      },
      {
        "field": "ranges",
        "type": "array of {start, end, rate}, 1–200 items",
        "description": "Ranges with their own speed, in time order and without overlap. The rest plays at 1.",
        "list": true
      },
      {
        "field": "pitch",
        "type": "\"keep\" | \"follow\"",
        "description": "Pitch of the sound: `keep` preserves it, `follow` raises and lowers it with the rate.",
        "values": [
          "keep",
          "follow"
        ]
      },
      {
        "field": "reverse",
        "type": "boolean",
        "description": "Play backwards.",
        "boolean": true
      },
      {
        "field": "rotate",
        "type": "0 | 90 | 180 | 270",
        "description": "Clockwise turn of the displayed picture, in degrees.",
        "numeric": true
      },
      {
        "field": "flip",
        "type": "\"none\" | \"horizontal\" | \"vertical\"",
        "description": "Mirror the picture: `horizontal` swaps left and right, `vertical` top and bottom.",
        "values": [
          "none",
          "horizontal",
          "vertical"
        ]
      },
      {
        "field": "tracks",
        "type": "\"all\" | \"first\"",
        "description": "`all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters.",
        "values": [
          "all",
          "first"
        ]
      },
      {
        "field": "audio_track",
        "type": "integer 0–63",
        "description": "Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first.",
        "numeric": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "deinterlace",
        "type": "\"auto\" | \"never\" | \"always\"",
        "description": "How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced.",
        "values": [
          "auto",
          "never",
          "always"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "speed_up",
      "slow_down",
      "slow_motion",
      "timelapse",
      "reverse",
      "reverse_video",
      "rotate",
      "rotate_video",
      "flip",
      "flip_video",
      "speed_video"
    ],
    "examples": [
      {
        "title": "Twice as fast, with the pitch of the voice kept",
        "line": "spool speed talk.mp4 --rate 2"
      },
      {
        "title": "A moment in slow motion",
        "line": "spool speed talk.mp4 --ranges '[{\"start\":4,\"end\":6,\"rate\":0.5}]' --pitch follow"
      },
      {
        "title": "Turn a video that lies on its side, without re-encoding",
        "line": "spool speed talk.mp4 --rotate 90"
      }
    ]
  },
  {
    "name": "merge-urls",
    "method": "mergeUrls",
    "path": "/merge_urls",
    "summary": "Join several clips with hard cuts or transitions.",
    "required": [],
    "flags": [
      {
        "field": "urls",
        "type": "array of (URL | {url, start, end, volume_db}), 2–100 items",
        "description": "Clips in order. Each is a URL, or an object with the URL and the part to use.",
        "source": true,
        "list": true
      },
      {
        "field": "video_urls",
        "type": "array of (URL | {url, start, end, volume_db}), 2–100 items",
        "description": "Alias of `urls`. Give one of the two.",
        "source": true,
        "list": true
      },
      {
        "field": "transition",
        "type": "\"none\" | \"fade\" | \"fadeblack\" | \"fadewhite\" | \"fadegrays\" | \"fadefast\" | \"fadeslow\" | \"dissolve\" | \"distance\" | \"pixelize\" | \"hblur\" | \"wipeleft\" | \"wiperight\" | \"wipeup\" | \"wipedown\" | \"wipetl\" | \"wi",
        "description": "Transition between clips. `none` is a hard cut. See `/docs/transitions` for previews.",
        "values": [
          "none",
          "fade",
          "fadeblack",
          "fadewhite",
          "fadegrays",
          "fadefast",
          "fadeslow",
          "dissolve",
          "distance",
          "pixelize",
          "hblur",
          "wipeleft",
          "wiperight",
          "wipeup",
          "wipedown",
          "wipetl",
          "wipetr",
          "wipebl",
          "wipebr",
          "smoothleft",
          "smoothright",
          "smoothup",
          "smoothdown",
          "diagtl",
          "diagtr",
          "diagbl",
          "diagbr",
          "slideleft",
          "slideright",
          "slideup",
          "slidedown",
          "coverleft",
          "coverright",
          "coverup",
          "coverdown",
          "revealleft",
          "revealright",
          "revealup",
          "revealdown",
          "circleopen",
          "circleclose",
          "circlecrop",
          "rectcrop",
          "vertopen",
          "vertclose",
          "horzopen",
          "horzclose",
          "radial",
          "zoomin",
          "squeezeh",
          "squeezev",
          "star",
          "heart",
          "diamond",
          "plus",
          "hexagon",
          "ringsin",
          "ringsout",
          "corners",
          "keyhole",
          "clock",
          "clockccw",
          "clockdouble",
          "fan",
          "pinwheel",
          "spiralin",
          "spiralout",
          "hlslice",
          "hrslice",
          "vuslice",
          "vdslice",
          "hlwind",
          "hrwind",
          "vuwind",
          "vdwind",
          "blindsh",
          "blindsv",
          "blindsdiag",
          "zigzagh",
          "zigzagv",
          "wavesh",
          "wavesv",
          "glitch",
          "checker",
          "randomsquares",
          "noise",
          "clouds",
          "polkadots",
          "bricks",
          "matrixrain",
          "whipleft",
          "whipright",
          "whipup",
          "whipdown",
          "spin",
          "spinccw",
          "zoomblurin",
          "zoomblurout",
          "flash",
          "lightleak"
        ]
      },
      {
        "field": "duration",
        "type": "number 0–10",
        "description": "Duration of each transition in seconds.",
        "numeric": true
      },
      {
        "field": "transitions",
        "type": "array of {type, duration, offset}, ≤ 99 items",
        "description": "Transitions of individual joints, in order; the first is between the first two clips. Joints without an entry use `transition` and `duration`.",
        "list": true
      },
      {
        "field": "audio_transition",
        "type": "\"crossfade\" | \"cut\"",
        "description": "Audio during a transition: `crossfade`, or `cut` in the middle of the transition.",
        "values": [
          "crossfade",
          "cut"
        ]
      },
      {
        "field": "width",
        "type": "integer 16–4096",
        "description": "Width in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "height",
        "type": "integer 16–4096",
        "description": "Height in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "fps",
        "type": "number 1–120",
        "description": "Constant frame rate of the output. Defaults to the frame rate of the first clip. If that clip has a variable frame rate or frames longer than 0.1 s, it defaults to the highest frame rate of all clips.",
        "numeric": true
      },
      {
        "field": "fit",
        "type": "\"contain\" | \"cover\" | \"blur\" | \"stretch\"",
        "description": "How a clip with another aspect ratio is fitted. `contain` adds bars in the color `background`, `cover` crops, `blur` adds a blurred copy as the background, `stretch` ignores the aspect ratio.",
        "values": [
          "contain",
          "cover",
          "blur",
          "stretch"
        ]
      },
      {
        "field": "background",
        "type": "\"#rrggbb\"",
        "description": "Color of the bars with `fit: contain`, as `#rrggbb`."
      },
      {
        "field": "normalize_audio",
        "type": "boolean",
        "description": "Normalize what is played of each clip to −16 LUFS before `volume_db` is applied. The gain of a clip is limited where its true peaks would exceed −1.5 dBTP: the clip is then quieter, and the warning `loudness_limited` says by how much. Silence, and sound shorter than 0.4 s, stay as they are.",
        "boolean": true
      },
      {
        "field": "background_audio_url",
        "type": "URL",
        "description": "Public https:// URL of background music for the whole output; it is repeated if it is shorter, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "background_volume_db",
        "type": "number -60–20",
        "description": "Gain of the background music in dB.",
        "numeric": true
      },
      {
        "field": "duck",
        "type": "boolean",
        "description": "Lower the background music while the clips have sound.",
        "boolean": true
      },
      {
        "field": "on_short_clip",
        "type": "\"shorten\" | \"error\"",
        "description": "If a clip is shorter than its transitions: `shorten` shortens the transitions and adds a warning; `error` fails the task with `clip_too_short`.",
        "values": [
          "shorten",
          "error"
        ]
      },
      {
        "field": "tracks",
        "type": "\"all\" | \"first\"",
        "description": "`all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters.",
        "values": [
          "all",
          "first"
        ]
      },
      {
        "field": "audio_track",
        "type": "integer 0–63",
        "description": "Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first.",
        "numeric": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "deinterlace",
        "type": "\"auto\" | \"never\" | \"always\"",
        "description": "How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced.",
        "values": [
          "auto",
          "never",
          "always"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "merge",
      "merge_video",
      "merge_clips",
      "concat",
      "concatenate",
      "concat_videos",
      "join",
      "join_videos",
      "combine",
      "combine_videos",
      "stitch",
      "append"
    ],
    "examples": [
      {
        "title": "Two clips with a fade",
        "line": "spool merge-urls intro.mp4 talk.mp4 --transition fade --duration 1"
      },
      {
        "title": "Parts of clips with individual transitions and background music",
        "line": "spool merge-urls --urls '[{\"url\":\"intro.mp4\",\"end\":5},{\"url\":\"talk.mp4\",\"start\":\"00:00:05\",\"end\":\"00:00:09\",\"volume_db\":-3},\"outro.mp4\"]' --transitions '[{\"type\":\"clock\",\"duration\":0.5},{\"type\":\"none\"}]' --width 1280 --height 720 --background-audio-url music.mp3"
      }
    ]
  },
  {
    "name": "timeline",
    "method": "timeline",
    "path": "/timeline",
    "summary": "Render an OpenTimelineIO document, the timeline of your editing program, and copy what it leaves unchanged.",
    "required": [
      "otio",
      "media"
    ],
    "flags": [
      {
        "field": "otio",
        "type": "object | string up to 4194304 characters",
        "description": "The OpenTimelineIO document (`Timeline.1`), as a JSON object or as its text."
      },
      {
        "field": "media",
        "type": "object of URL",
        "description": "The source of each media reference: by its `target_url`, the file name in it, its name or the name of the clip. Every entry must be used.",
        "source": true,
        "named": true
      },
      {
        "field": "pitch",
        "type": "\"keep\" | \"follow\"",
        "description": "Pitch of the sound of clips with a time warp: `keep` preserves it, `follow` raises and lowers it with the rate.",
        "values": [
          "keep",
          "follow"
        ]
      },
      {
        "field": "width",
        "type": "integer 16–4096",
        "description": "Width in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "height",
        "type": "integer 16–4096",
        "description": "Height in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "fps",
        "type": "number 1–120",
        "description": "Constant frame rate of the output. Defaults to the frame rate of the only source, or to the rate of the first clip if that is from 8 to 120.",
        "numeric": true
      },
      {
        "field": "fit",
        "type": "\"contain\" | \"cover\" | \"blur\" | \"stretch\"",
        "description": "How a clip with another aspect ratio is fitted. `contain` adds bars in the color `background`, `cover` crops, `blur` adds a blurred copy as the background, `stretch` ignores the aspect ratio.",
        "values": [
          "contain",
          "cover",
          "blur",
          "stretch"
        ]
      },
      {
        "field": "background",
        "type": "\"#rrggbb\"",
        "description": "Color of the bars with `fit: contain`, as `#rrggbb`."
      },
      {
        "field": "audio_track",
        "type": "integer 0–63",
        "description": "Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first.",
        "numeric": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "otio",
      "render",
      "render_otio",
      "edl"
    ],
    "examples": [
      {
        "title": "The smallest document: one clip, all of it, without its sound",
        "line": "spool timeline --otio '{\"OTIO_SCHEMA\":\"Timeline.1\",\"tracks\":{\"OTIO_SCHEMA\":\"Stack.1\",\"children\":[{\"OTIO_SCHEMA\":\"Track.1\",\"children\":[{\"OTIO_SCHEMA\":\"Clip.1\",\"name\":\"talk\"}]}]}}' --media '{\"talk\":\"talk.mp4\"}'"
      },
      {
        "title": "Two parts of one recording",
        "line": "spool timeline --otio '{\"OTIO_SCHEMA\":\"Timeline.1\",\"tracks\":{\"OTIO_SCHEMA\":\"Stack.1\",\"children\":[{\"OTIO_SCHEMA\":\"Track.1\",\"kind\":\"Video\",\"children\":[{\"OTIO_SCHEMA\":\"Clip.2\",\"source_range\":{\"OTIO_SCHEMA\":\"TimeRange.1\",\"start_time\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":50},\"duration\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":100}},\"media_references\":{\"DEFAULT_MEDIA\":{\"OTIO_SCHEMA\":\"ExternalReference.1\",\"target_url\":\"talk.mp4\"}}},{\"OTIO_SCHEMA\":\"Clip.2\",\"source_range\":{\"OTIO_SCHEMA\":\"TimeRange.1\",\"start_time\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":200},\"duration\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":75}},\"media_references\":{\"DEFAULT_MEDIA\":{\"OTIO_SCHEMA\":\"ExternalReference.1\",\"target_url\":\"talk.mp4\"}}}]},{\"OTIO_SCHEMA\":\"Track.1\",\"kind\":\"Audio\",\"children\":[{\"OTIO_SCHEMA\":\"Clip.2\",\"source_range\":{\"OTIO_SCHEMA\":\"TimeRange.1\",\"start_time\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":50},\"duration\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":100}},\"media_references\":{\"DEFAULT_MEDIA\":{\"OTIO_SCHEMA\":\"ExternalReference.1\",\"target_url\":\"talk.mp4\"}}},{\"OTIO_SCHEMA\":\"Clip.2\",\"source_range\":{\"OTIO_SCHEMA\":\"TimeRange.1\",\"start_time\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":200},\"duration\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":75}},\"media_references\":{\"DEFAULT_MEDIA\":{\"OTIO_SCHEMA\":\"ExternalReference.1\",\"target_url\":\"talk.mp4\"}}}]}]}}' --media '{\"talk.mp4\":\"talk.mp4\"}'"
      },
      {
        "title": "Two sources with a dissolve, over music",
        "line": "spool timeline --otio '{\"OTIO_SCHEMA\":\"Timeline.1\",\"tracks\":{\"OTIO_SCHEMA\":\"Stack.1\",\"children\":[{\"OTIO_SCHEMA\":\"Track.1\",\"kind\":\"Video\",\"children\":[{\"OTIO_SCHEMA\":\"Clip.2\",\"source_range\":{\"OTIO_SCHEMA\":\"TimeRange.1\",\"start_time\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":0},\"duration\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":40}},\"media_references\":{\"DEFAULT_MEDIA\":{\"OTIO_SCHEMA\":\"ExternalReference.1\",\"target_url\":\"file:///shoot/intro.mov\"}}},{\"OTIO_SCHEMA\":\"Transition.1\",\"transition_type\":\"SMPTE_Dissolve\",\"in_offset\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":12},\"out_offset\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":12}},{\"OTIO_SCHEMA\":\"Clip.2\",\"source_range\":{\"OTIO_SCHEMA\":\"TimeRange.1\",\"start_time\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":50},\"duration\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":30}},\"media_references\":{\"DEFAULT_MEDIA\":{\"OTIO_SCHEMA\":\"ExternalReference.1\",\"target_url\":\"file:///shoot/talk.mov\"}}}]},{\"OTIO_SCHEMA\":\"Track.1\",\"kind\":\"Audio\",\"children\":[{\"OTIO_SCHEMA\":\"Clip.2\",\"source_range\":{\"OTIO_SCHEMA\":\"TimeRange.1\",\"start_time\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":0},\"duration\":{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":25,\"value\":70}},\"media_references\":{\"DEFAULT_MEDIA\":{\"OTIO_SCHEMA\":\"ExternalReference.1\",\"target_url\":\"music.wav\"}}}]}]}}' --media '{\"intro.mov\":\"intro.mp4\",\"talk.mov\":\"talk.mp4\",\"music.wav\":\"music.mp3\"}'"
      }
    ]
  },
  {
    "name": "redub",
    "method": "redub",
    "path": "/redub",
    "summary": "Replace the audio of a video with a voice, or mix both.",
    "required": [
      "video_url"
    ],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "voice_url",
        "type": "URL",
        "description": "Public https:// URL of the new voice, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the new voice; alias of `voice_url`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "mode",
        "type": "\"replace\" | \"mix\"",
        "description": "What happens to the audio of the video if neither `bg_source` nor `bg_url` is given: `replace` removes it, `mix` keeps it as the background. With `bg_url`, the audio at that URL is the only background, also with `mix`.",
        "values": [
          "replace",
          "mix"
        ]
      },
      {
        "field": "bg_source",
        "type": "\"none\" | \"keep\" | \"external\" | \"centerremove\" | \"separate\"",
        "description": "Background sound under the voice. `none`: no background. `keep`: the audio of the video. `external`: the audio at `bg_url`. `centerremove`: the audio of the video without the center of its stereo image, where voices usually are. `separate`: the audio of the video with its voices removed by the best available engine.",
        "values": [
          "none",
          "keep",
          "external",
          "centerremove",
          "separate"
        ]
      },
      {
        "field": "bg_url",
        "type": "URL",
        "description": "Public https:// URL of the background for `bg_source: external`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "bg_volume_db",
        "type": "number -60–20",
        "description": "Gain of the background in dB.",
        "numeric": true
      },
      {
        "field": "duck",
        "type": "boolean",
        "description": "Lower the background while the voice speaks. Noise between its sentences does not keep it lowered.",
        "boolean": true
      },
      {
        "field": "duck_db",
        "type": "number 1–40",
        "description": "Maximum reduction of the background in dB.",
        "numeric": true
      },
      {
        "field": "voice_volume_db",
        "type": "number -60–20",
        "description": "Gain of the voice in dB.",
        "numeric": true
      },
      {
        "field": "fade_in",
        "type": "number 0–10",
        "description": "Fade-in of the new audio in seconds.",
        "numeric": true
      },
      {
        "field": "fade_out",
        "type": "number 0–10",
        "description": "Fade-out of the new audio in seconds.",
        "numeric": true
      },
      {
        "field": "offset",
        "type": "number -36000–36000",
        "description": "Time in the video at which the voice starts, in seconds. A negative value skips that much of the start of the voice.",
        "numeric": true
      },
      {
        "field": "length_policy",
        "type": "\"video\" | \"audio\" | \"shortest\"",
        "description": "Length of the output: `video`, `audio` (end of the voice, including the offset) or `shortest` (the shorter of the two).",
        "values": [
          "video",
          "audio",
          "shortest"
        ]
      },
      {
        "field": "when_audio_shorter",
        "type": "\"silence\" | \"loop\"",
        "description": "What follows if the voice ends first: `silence`, or `loop` to repeat the voice.",
        "values": [
          "silence",
          "loop"
        ]
      },
      {
        "field": "when_video_shorter",
        "type": "\"freeze\" | \"loop\"",
        "description": "What follows if the video ends first: `freeze` holds the last frame, `loop` repeats the video.",
        "values": [
          "freeze",
          "loop"
        ]
      },
      {
        "field": "normalize_lufs",
        "type": "number -40–-8",
        "description": "Target loudness of the output in LUFS (EBU R 128). True peaks are at most −1.5 dBTP before encoding; a lossy codec may exceed that slightly.",
        "numeric": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "dub",
      "add_audio",
      "add_audio_to_video",
      "add_music",
      "mix_audio",
      "overlay_audio",
      "replace_sound",
      "mux"
    ],
    "examples": [
      {
        "title": "Replace the audio with a voice",
        "line": "spool redub talk.mp4 --voice-url voice.mp3"
      },
      {
        "title": "Voice over music, normalized",
        "line": "spool redub talk.mp4 --voice-url voice.mp3 --bg-source external --bg-url music.mp3 --offset 1.5 --fade-out 2 --normalize-lufs -16"
      }
    ]
  },
  {
    "name": "redub-tts",
    "method": "redubTts",
    "path": "/redub_tts",
    "summary": "Replace the audio of a video by text to speech: a script as plain text, SRT, VTT or timed segments.",
    "required": [
      "video_url"
    ],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "script",
        "type": "string up to 100000 characters",
        "description": "The script: plain text of at most 5000 sentences, or SubRip, WebVTT or ASS with times. At most 1000 captions of 5000 characters each, and 1000 characters per word. Captions without a letter or digit, such as ♪, are not spoken."
      },
      {
        "field": "segments",
        "type": "array of {start, end, text, voice_id}, 1–1000 items",
        "description": "Timed lines in time order. Use it instead of `script`.",
        "list": true
      },
      {
        "field": "voice_id",
        "type": "string",
        "description": "Voice id from `GET /capabilities`, or a voice of the provider. Defaults to a voice of the language."
      },
      {
        "field": "provider",
        "type": "\"auto\" | \"builtin\" | \"local\" | \"speech_api_tts\" | \"workers_ai_tts\" | \"kokoro\" | \"flite\" | \"espeak_ng\" | \"elevenlabs\"",
        "description": "Engine that speaks. `auto`: the best available engine, or ElevenLabs or your own speech API if you send its headers. `builtin`: an engine without a model. `local`: an engine with an installed model. Or the name of an engine.",
        "values": [
          "auto",
          "builtin",
          "local",
          "speech_api_tts",
          "workers_ai_tts",
          "kokoro",
          "flite",
          "espeak_ng",
          "elevenlabs"
        ]
      },
      {
        "field": "language",
        "type": "string",
        "description": "Language of the script as a BCP 47 tag, such as `en` or `pt-BR`. `zh` is spoken as Mandarin (`zh-HK` and `zh-MO` as Cantonese), `no` as Bokmål."
      },
      {
        "field": "speed",
        "type": "number 0.5–2",
        "description": "Speaking rate; 1 is normal.",
        "numeric": true
      },
      {
        "field": "fit",
        "type": "\"stretch\" | \"none\" | \"trim\"",
        "description": "What happens to a line that is longer than its slot. `stretch`: it is shortened as described above. `none`: it keeps its length and the following lines move back. `trim`: it is cut off with a fade.",
        "values": [
          "stretch",
          "none",
          "trim"
        ]
      },
      {
        "field": "max_stretch_percent",
        "type": "number 0–50",
        "description": "Maximum time-stretching of a line, in percent.",
        "numeric": true
      },
      {
        "field": "pronunciations",
        "type": "object of string up to 120 characters",
        "description": "Respellings that make words sound right, such as {\"Nguyen\": \"win\"}. Captions keep the original words."
      },
      {
        "field": "bg_source",
        "type": "\"none\" | \"keep\" | \"external\" | \"centerremove\" | \"separate\"",
        "description": "Background sound under the voice. `none`: no background. `keep`: the audio of the video. `external`: the audio at `bg_url`. `centerremove`: the audio of the video without the center of its stereo image, where voices usually are. `separate`: the audio of the video with its voices removed by the best available engine.",
        "values": [
          "none",
          "keep",
          "external",
          "centerremove",
          "separate"
        ]
      },
      {
        "field": "bg_url",
        "type": "URL",
        "description": "Public https:// URL of the background for `bg_source: external`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "bg_volume_db",
        "type": "number -60–20",
        "description": "Gain of the background in dB.",
        "numeric": true
      },
      {
        "field": "duck",
        "type": "boolean",
        "description": "Lower the background while the voice speaks. Noise between its sentences does not keep it lowered.",
        "boolean": true
      },
      {
        "field": "duck_db",
        "type": "number 1–40",
        "description": "Maximum reduction of the background in dB.",
        "numeric": true
      },
      {
        "field": "voice_volume_db",
        "type": "number -60–20",
        "description": "Gain of the voice in dB.",
        "numeric": true
      },
      {
        "field": "fade_in",
        "type": "number 0–10",
        "description": "Fade-in of the new audio in seconds.",
        "numeric": true
      },
      {
        "field": "fade_out",
        "type": "number 0–10",
        "description": "Fade-out of the new audio in seconds.",
        "numeric": true
      },
      {
        "field": "normalize_lufs",
        "type": "number -40–-8",
        "description": "Target loudness of the output in LUFS (EBU R 128). True peaks are at most −1.5 dBTP before encoding; a lossy codec may exceed that slightly.",
        "numeric": true
      },
      {
        "field": "return_captions",
        "type": "boolean",
        "description": "Add the captions as SRT and WebVTT files.",
        "boolean": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "tts",
      "speak",
      "narrate",
      "text_to_speech",
      "voiceover",
      "add_voiceover",
      "generate_speech"
    ],
    "examples": [
      {
        "title": "Plain text, spoken from the start",
        "line": "spool redub-tts tour.mp4 --script 'Welcome to the tour. This is the harbor, as it was a hundred years ago.'"
      },
      {
        "title": "Timed lines over the lowered audio of the video",
        "line": "spool redub-tts tour.mp4 --segments '[{\"start\":0.5,\"end\":2,\"text\":\"Welcome to the tour.\"},{\"start\":\"00:00:02\",\"text\":\"This is the harbor, as it was.\",\"voice_id\":\"slt\"}]' --voice-id rms --bg-source keep --pronunciations '{\"harbor\":\"harber\"}'"
      }
    ]
  },
  {
    "name": "redub-vc",
    "method": "redubVc",
    "path": "/redub_vc",
    "summary": "Convert the voice of a video or audio file to another voice, with exact timing.",
    "required": [
      "consent"
    ],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the source audio, instead of `video_url`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "consent",
        "type": "true",
        "description": "Confirms that the owners of both voices have agreed. It must be `true`.",
        "boolean": true
      },
      {
        "field": "voice_id",
        "type": "string",
        "description": "A preset (see `/docs/examples`) or the id of an ElevenLabs voice. Presets aim at a range of pitch: a high voice is raised less by `feminine`."
      },
      {
        "field": "voice_sample_url",
        "type": "URL",
        "description": "Public https:// URL of a few seconds of the target voice, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "provider",
        "type": "\"auto\" | \"builtin\" | \"local\" | \"elevenlabs\" | \"openvoice\" | \"rubberband\"",
        "description": "Engine that converts the voice. `auto`: the best available engine for the request. `builtin`: an engine without a model. `local`: an engine with an installed model. Or the name of an engine.",
        "values": [
          "auto",
          "builtin",
          "local",
          "elevenlabs",
          "openvoice",
          "rubberband"
        ]
      },
      {
        "field": "pitch_semitones",
        "type": "number -24–24",
        "description": "Pitch shift in semitones, in addition to the preset or sample.",
        "numeric": true
      },
      {
        "field": "formant",
        "type": "number -1–1",
        "description": "Formant shift, in addition to the preset or sample. 1 is 4 semitones up and sounds like a smaller speaker.",
        "numeric": true
      },
      {
        "field": "preserve_background",
        "type": "boolean",
        "description": "Convert only the voices and keep other sounds, if an available engine can separate them. The built-in engine separates what is at one place of a stereo sound. If voices are at several places, such as one in each channel, all sound is converted.",
        "boolean": true
      },
      {
        "field": "normalize_lufs",
        "type": "number -40–-8",
        "description": "Target loudness of the output in LUFS (EBU R 128). True peaks are at most −1.5 dBTP before encoding; a lossy codec may exceed that slightly.",
        "numeric": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "vc",
      "voice_conversion",
      "convert_voice",
      "voice_change",
      "voice_changer",
      "clone_voice"
    ],
    "examples": [
      {
        "title": "Deeper voice to anonymize a speaker",
        "line": "spool redub-vc interview.mp4 --consent --voice-id deep"
      },
      {
        "title": "Recording in a voice similar to a sample",
        "line": "spool redub-vc take.wav --consent --voice-sample-url sample.wav --pitch-semitones -0.5"
      }
    ]
  },
  {
    "name": "captions-auto",
    "method": "captionsAuto",
    "path": "/captions/auto",
    "summary": "Add captions to a video from speech recognition, a script or existing captions, burned in or as files (SRT, WebVTT, ASS).",
    "required": [],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "language",
        "type": "string",
        "description": "Language of the speech as a BCP 47 tag, such as `en` or `pt-BR`. `auto` leaves the choice to the engine."
      },
      {
        "field": "engine",
        "type": "\"auto\" | \"speech_api\" | \"workers_ai\" | \"parakeet\" | \"parakeet_en\" | \"parakeet_small\" | \"pocketsphinx\"",
        "description": "Engine to use. `GET /capabilities` lists the available ones. `auto`: your own speech API if you send one in `X-Speech-Api-Url`, otherwise the best available engine.",
        "values": [
          "auto",
          "speech_api",
          "workers_ai",
          "parakeet",
          "parakeet_en",
          "parakeet_small",
          "pocketsphinx"
        ]
      },
      {
        "field": "captions",
        "type": "string up to 200000 characters | array of {start, end, text, confidence, speaker, color, bold, italic}, 1–60000 items",
        "description": "Text of the captions: a plain script, which is aligned with the speech, or SubRip, WebVTT, ASS or timed words, whose times are kept. A word may have a `speaker`, a `color` and be `bold` or `italic`; WebVTT says the same with `<v Ann>`, `<c.red>`, `<b>` and `<i>`. At most 60,000 words, none longer than 1,000 characters, and 10,000 captions of 5,000 characters each."
      },
      {
        "field": "captions_url",
        "type": "URL",
        "description": "Public https:// URL of a caption file or script, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). Use it instead of `captions`; the same limits apply, and the file has at most 4 MB.",
        "source": true
      },
      {
        "field": "time_map_task",
        "type": "string",
        "description": "Id of one of your completed tasks, such as a cut. Captions timed for the source of that task are moved to the times of its output; captions of removed parts are dropped."
      },
      {
        "field": "time_map_source",
        "type": "integer 0–99",
        "description": "Index of the source of that task that the captions belong to, starting at 0.",
        "numeric": true
      },
      {
        "field": "burn",
        "type": "boolean",
        "description": "Burn the captions into the picture. The default is true for a source with a picture. Sound alone, such as a podcast in `audio_url` or `video_url`, gives the files in `outputs`, and `burn: true` is refused.",
        "boolean": true
      },
      {
        "field": "background",
        "type": "\"video\" | \"transparent\" | \"green\"",
        "description": "What is behind the captions. `transparent` and `green` return the captions alone, to lay them over the video in an editor: every frame has the size and the time of the source's, and there is no sound, because the video has it. `transparent` is ProRes 4444 with `format: mov` and VP9 with `webm` or `mkv`, with straight alpha; `mp4` has no transparency. `green` is flat #00FF00, in any format; green letters, as `word_pop` highlights words, vanish with it. `match_source` is then `high`; ProRes has one quality. Captions that change during a long frame of a variable frame rate make it constant, as when they are burned in, with the warning `source_vfr`.",
        "values": [
          "video",
          "transparent",
          "green"
        ]
      },
      {
        "field": "embed",
        "type": "\"none\" | \"soft\"",
        "description": "`soft` also adds the captions as a subtitle track that viewers can turn on (mov_text in mp4 and mov, SubRip in mkv, WebVTT in webm). With `burn: false`, the video is copied without re-encoding.",
        "values": [
          "none",
          "soft"
        ]
      },
      {
        "field": "outputs",
        "type": "array of (\"srt\" | \"vtt\" | \"ass\" | \"txt\" | \"words_json\"), ≤ 5 items",
        "description": "Caption files to return. `ass` is the file that is burned in; for sound alone it is laid out for 1920 × 1080.",
        "list": true,
        "values": [
          "srt",
          "vtt",
          "ass",
          "txt",
          "words_json"
        ]
      },
      {
        "field": "preset",
        "type": "\"clean\" | \"karaoke\" | \"highlight\" | \"word_pop\" | \"bold_box\" | \"pill\" | \"neon\" | \"minimal\" | \"broadcast\" | \"typewriter\" | \"impact\" | \"comic\" | \"candy\" | \"marker\" | \"podcast\" | \"paper\" | \"news\" | \"termi",
        "description": "Style of the captions. `clean`: White text with a thin dark outline; `karaoke`: Each word fills with color while it is spoken; `highlight`: The current word changes to the highlight color; `word_pop`: Large capitals; the current word pops up in the highlight color; `bold_box`: Black capitals on a solid colored box; `pill`: A rounded colored pill behind the current word; `neon`: Bright glowing text; `minimal`: Small, light text with a soft shadow; `broadcast`: White text on a dark, semi-transparent box, as on television; `typewriter`: Monospaced text that appears letter by letter as it is spoken; `impact`: Capitals with a thick outline; the current word pops up, in yellow, green and red in turn; `comic`: Narrow yellow capitals with a thick black outline; the current word is white; `candy`: White text with a purple outline; the current word pops up in yellow; `marker`: The current word in black on a yellow marker; `podcast`: White text on a dark box; the current word is yellow; `paper`: Dark text on a white box; the current word is magenta; `news`: White capitals on a solid red box; `terminal`: Green monospaced text on a black box that appears as it is spoken; `cinema`: White serif text with a soft shadow, as in films; `elegant`: Ivory serif text; the current word is gold. See `/docs/examples` for previews.",
        "values": [
          "clean",
          "karaoke",
          "highlight",
          "word_pop",
          "bold_box",
          "pill",
          "neon",
          "minimal",
          "broadcast",
          "typewriter",
          "impact",
          "comic",
          "candy",
          "marker",
          "podcast",
          "paper",
          "news",
          "terminal",
          "cinema",
          "elegant"
        ]
      },
      {
        "field": "style",
        "type": "{font_family, font_url, font_size_percent, color, highlight_color, highlight_colors, outline_color, outline_px, background_color, background_opacity, letter_case}",
        "description": "Settings that override the preset. If letters cannot be read with the colors that you choose, they get a black or white outline, unless you choose it too."
      },
      {
        "field": "layout",
        "type": "\"auto\" | \"phrase\" | \"word\" | \"line\" | \"punch\"",
        "description": "What is shown at a time: a `phrase`, a single `word`, a single `line`, or with `punch` 1 to 4 large words in the middle of the picture, their lines 8 to 11 % of the shorter side high. `auto` is `punch` if captions are burned into a picture that is higher than wide in one of the presets `highlight`, `word_pop`, `pill`, `neon`, `impact`, `comic`, `candy`, `marker`, and `max_words` is not above 4. Otherwise it is `phrase`. The files have the same division.",
        "values": [
          "auto",
          "phrase",
          "word",
          "line",
          "punch"
        ]
      },
      {
        "field": "entrance",
        "type": "\"none\" | \"fade\" | \"pop\" | \"slide_up\" | \"bounce\" | \"blur\"",
        "description": "How each caption appears. `none`: at once; `fade`: fades in; `pop`: grows and overshoots a little; `slide_up`: moves up into its place; `bounce`: grows and swings around its size; `blur`: becomes sharp. It takes 0.2 to 0.45 s, at most a quarter of the caption's time, and stays inside the safe area.",
        "values": [
          "none",
          "fade",
          "pop",
          "slide_up",
          "bounce",
          "blur"
        ]
      },
      {
        "field": "max_words",
        "type": "integer 1–40",
        "description": "Maximum number of words per caption. `layout: punch` has at most 4.",
        "numeric": true
      },
      {
        "field": "max_chars_per_line",
        "type": "integer 8–80",
        "description": "Maximum number of characters per line. East Asian characters count as two. Narrow pictures get shorter lines.",
        "numeric": true
      },
      {
        "field": "max_lines",
        "type": "integer 1–4",
        "description": "Maximum number of lines per caption.",
        "numeric": true
      },
      {
        "field": "position",
        "type": "\"top_left\" | \"top\" | \"top_right\" | \"left\" | \"center\" | \"right\" | \"bottom_left\" | \"bottom\" | \"bottom_right\"",
        "description": "Position of the captions in the picture. The default is `center` for `layout: punch`, otherwise `bottom`.",
        "values": [
          "top_left",
          "top",
          "top_right",
          "left",
          "center",
          "right",
          "bottom_left",
          "bottom",
          "bottom_right"
        ]
      },
      {
        "field": "safe_area",
        "type": "\"none\" | \"tiktok\" | \"reels\" | \"shorts\"",
        "description": "Keep captions clear of the controls that this app shows over the picture.",
        "values": [
          "none",
          "tiktok",
          "reels",
          "shorts"
        ]
      },
      {
        "field": "replacements",
        "type": "array of {from, to}, ≤ 200 items",
        "description": "Replacements of words in the captions.",
        "list": true
      },
      {
        "field": "keywords",
        "type": "array of {text, color}, ≤ 100 items",
        "description": "Words and phrases that have a color of their own. A color that cannot be read in the preset gets a black or white outline.",
        "list": true
      },
      {
        "field": "emoji",
        "type": "\"auto\" | object of string up to 32 characters",
        "description": "Emoji that pop up over the captions when a word is said, and below captions at the top: a map of words or phrases, in any letter case, to emoji, or `auto` for a list, at most one emoji in 3 s. The list has some 400 words in English, and the names of 55 to 100 things in 24 other European languages. If neither `language` nor the engine says which one is spoken, it is English. They are drawn, and not in the text of the files."
      },
      {
        "field": "speakers",
        "type": "\"auto\" | \"detect\" | \"none\" | integer 1–20",
        "description": "Tells voices apart and names who says each word `Speaker 1`, `Speaker 2` and so on, in the order in which they begin to speak. No caption then has words of two speakers, and WebVTT names them as `<v Speaker 1>`. `auto` does so if `GET /capabilities` lists an available engine for `diarize` and there is more than one voice. `detect` names a single voice too, and fails without such an engine, as does a number: how many people speak at most. A number is safer than counting voices. `none` names no one. Captions that have times keep the speakers that they name, and are listened to for `detect` or a number only.",
        "numeric": true,
        "values": [
          "auto",
          "detect",
          "none"
        ]
      },
      {
        "field": "speaker_colors",
        "type": "array of \"#rrggbb\", 1–12 items | object of \"#rrggbb\"",
        "description": "Colors of what each speaker says: a list, in the order in which they begin to speak, or a map of names to colors. Speakers are the heard ones, `Speaker 1` and so on, as with `speakers: detect`, or those that the captions name: words with a `speaker`, WebVTT with `<v Ann>`, or ASS with names. No caption then has words of two speakers, unless you gave it so. A color that cannot be read in the preset gets a black or white outline.",
        "list": true
      },
      {
        "field": "vocabulary",
        "type": "array of string up to 100 characters, ≤ 200 items",
        "description": "Names and terms that occur in the speech, in their correct spelling, such as `Kubernetes`. In English, uncertain words that sound like a term are recognized again and replaced if the term is more likely. In other languages, words spelled almost like a term are replaced, which finds fewer. All other words stay unchanged. Has no effect if `captions` is given.",
        "list": true
      },
      {
        "field": "exclude_ranges",
        "type": "array of {start, end}, ≤ 100 items",
        "description": "Ranges of the video that get no captions.",
        "list": true
      },
      {
        "field": "quality",
        "type": "\"match_source\" | \"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "match_source",
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm).",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "deinterlace",
        "type": "\"auto\" | \"never\" | \"always\"",
        "description": "How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced.",
        "values": [
          "auto",
          "never",
          "always"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "caption",
      "captions",
      "subtitle",
      "subtitles",
      "add_captions",
      "add_subtitles",
      "burn_captions",
      "burn_subtitles",
      "auto_captions",
      "generate_captions",
      "subtitle_video"
    ],
    "examples": [
      {
        "title": "Burn recognized captions into the video",
        "line": "spool captions-auto interview.mp4"
      },
      {
        "title": "Captions of a podcast as files",
        "line": "spool captions-auto podcast.mp3 --language en --outputs '[\"srt\",\"vtt\",\"txt\"]'"
      },
      {
        "title": "Talk with known names",
        "line": "spool captions-auto interview.mp4 --language en --vocabulary '[\"Kubernetes\",\"Anneliese Okonkwo\",\"PostgreSQL\"]' --outputs '[\"srt\",\"words_json\"]'"
      },
      {
        "title": "Script, word by word, for phones",
        "line": "spool captions-auto interview.mp4 --captions 'Every word lights up in the moment it is spoken.' --preset word_pop --position center --safe-area tiktok --outputs '[\"srt\",\"words_json\"]'"
      },
      {
        "title": "Captions alone, to lay over the video in an editor",
        "line": "spool captions-auto interview.mp4 --captions 'Every word lights up in the moment it is spoken.' --background transparent --format mov"
      },
      {
        "title": "Convert timed captions to other formats",
        "line": "spool captions-auto interview.mp4 --captions '1\n00:00:00,400 --> 00:00:01,900\nWelcome back.\n' --no-burn --outputs '[\"vtt\",\"ass\"]' --replacements '[{\"from\":\"welcome\",\"to\":\"Hello\"}]'"
      }
    ]
  },
  {
    "name": "transcribe",
    "method": "transcribe",
    "path": "/transcribe",
    "summary": "Transcribe an audio or video file: text, SRT, WebVTT, and every word with its time and confidence.",
    "required": [],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "language",
        "type": "string",
        "description": "Language of the speech as a BCP 47 tag, such as `en` or `pt-BR`. `auto` leaves the choice to the engine."
      },
      {
        "field": "engine",
        "type": "\"auto\" | \"speech_api\" | \"workers_ai\" | \"parakeet\" | \"parakeet_en\" | \"parakeet_small\" | \"pocketsphinx\"",
        "description": "Engine to use. `GET /capabilities` lists the available ones. `auto`: your own speech API if you send one in `X-Speech-Api-Url`, otherwise the best available engine.",
        "values": [
          "auto",
          "speech_api",
          "workers_ai",
          "parakeet",
          "parakeet_en",
          "parakeet_small",
          "pocketsphinx"
        ]
      },
      {
        "field": "script",
        "type": "string up to 200000 characters",
        "description": "What is said, as plain text: its words get the times at which they are spoken, and keep their spelling. At most 60,000 words, none longer than 1,000 characters, and 10,000 captions of 5,000 characters each."
      },
      {
        "field": "vocabulary",
        "type": "array of string up to 100 characters, ≤ 200 items",
        "description": "Names and terms that occur in the speech, in their correct spelling, such as `Kubernetes`. In English, uncertain words that sound like a term are recognized again and replaced if the term is more likely. In other languages, words spelled almost like a term are replaced, which finds fewer. All other words stay unchanged. Has no effect if `script` is given.",
        "list": true
      },
      {
        "field": "speakers",
        "type": "\"auto\" | \"detect\" | \"none\" | integer 1–20",
        "description": "Tells voices apart and names who says each word `Speaker 1`, `Speaker 2` and so on, in the order in which they begin to speak. No caption then has words of two speakers, and WebVTT names them as `<v Speaker 1>`. `auto` does so if `GET /capabilities` lists an available engine for `diarize` and there is more than one voice. `detect` names a single voice too, and fails without such an engine, as does a number: how many people speak at most. A number is safer than counting voices. `none` names no one. A change of speaker begins a paragraph of the text. If there are several, it begins with the name, such as `Speaker 2: `.",
        "numeric": true,
        "values": [
          "auto",
          "detect",
          "none"
        ]
      },
      {
        "field": "outputs",
        "type": "array of (\"txt\" | \"srt\" | \"vtt\" | \"words_json\"), 1–4 items",
        "description": "Files to return; the first one is the main file.",
        "list": true,
        "values": [
          "txt",
          "srt",
          "vtt",
          "words_json"
        ]
      },
      {
        "field": "max_chars_per_line",
        "type": "integer 8–80",
        "description": "Maximum number of characters per line in `srt` and `vtt`. East Asian characters count as two.",
        "numeric": true
      },
      {
        "field": "max_lines",
        "type": "integer 1–4",
        "description": "Maximum number of lines per caption in `srt` and `vtt`.",
        "numeric": true
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "transcript",
      "transcription",
      "stt",
      "asr",
      "speech_to_text",
      "transcribe_audio",
      "transcribe_video",
      "whisper"
    ],
    "examples": [
      {
        "title": "Transcribe a podcast",
        "line": "spool transcribe podcast.mp3"
      },
      {
        "title": "Subtitles of a video with known names",
        "line": "spool transcribe interview.mp4 --language en --vocabulary '[\"Kubernetes\",\"Anneliese Okonkwo\"]' --outputs '[\"srt\",\"words_json\"]'"
      },
      {
        "title": "Who says what in a conversation of two",
        "line": "spool transcribe podcast.mp3 --language en --speakers 2"
      },
      {
        "title": "When each word of a script is said",
        "line": "spool transcribe podcast.mp3 --script 'Every word lights up in the moment it is spoken.' --outputs '[\"words_json\"]'"
      }
    ]
  },
  {
    "name": "separate",
    "method": "separate",
    "path": "/separate",
    "summary": "Separate vocals and music into files, optionally with a video that has one of them.",
    "required": [],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the source audio, instead of `video_url`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "stems",
        "type": "2 | array of (\"vocals\" | \"music\"), 1–2 items",
        "description": "Stems to produce: `2` for both, or a list of their names.",
        "list": true,
        "numeric": true,
        "values": [
          "vocals",
          "music"
        ]
      },
      {
        "field": "engine",
        "type": "\"auto\" | \"spleeter\" | \"centre_mask\"",
        "description": "Engine to use. `GET /capabilities` lists the available ones. `auto`: the best available engine.",
        "values": [
          "auto",
          "spleeter",
          "centre_mask"
        ]
      },
      {
        "field": "format",
        "type": "\"mp3\" | \"wav\" | \"flac\" | \"m4a\"",
        "description": "Audio format of the stems. wav and flac are 24-bit.",
        "values": [
          "mp3",
          "wav",
          "flac",
          "m4a"
        ]
      },
      {
        "field": "bitrate_kbps",
        "type": "integer 64–320",
        "description": "Bitrate of mp3 and m4a stems.",
        "numeric": true
      },
      {
        "field": "return_video",
        "type": "\"none\" | \"vocals\" | \"instrumental\"",
        "description": "Add the video as mp4 with the vocals or the music (`instrumental`) as its audio.",
        "values": [
          "none",
          "vocals",
          "instrumental"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "stems",
      "split_stems",
      "stem_separation",
      "separate_audio",
      "vocals",
      "isolate_vocals",
      "remove_vocals",
      "karaoke"
    ],
    "examples": [
      {
        "title": "Vocals and music of a song",
        "line": "spool separate song.mp3"
      },
      {
        "title": "Karaoke video, and the music as a lossless file",
        "line": "spool separate karaoke.mp4 --stems '[\"music\"]' --format flac --return-video instrumental"
      }
    ]
  },
  {
    "name": "visualize",
    "method": "visualize",
    "path": "/visualize",
    "summary": "Create a video that visualizes audio: bars, waves, rings and more.",
    "required": [
      "audio_url"
    ],
    "flags": [
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). If it is a video, its audio is used.",
        "source": true
      },
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of a background video; it fills the frame and its audio is not used, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "image_url",
        "type": "URL",
        "description": "Public https:// URL of a background picture (png, jpeg, webp or gif); it fills the frame, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "background_color",
        "type": "\"#rrggbb\"",
        "description": "Background color as `#rrggbb`, if there is no background video or picture. Transparent pictures and covers lie on it, too."
      },
      {
        "field": "style",
        "type": "\"bars\" | \"wave\" | \"spectrum\" | \"ring\" | \"line\" | \"mirror\" | \"cqt\" | \"vectorscope\" | \"dots\"",
        "description": "Style of the visualizer. `bars`: Rounded frequency bars, low to high, with falling peaks. `wave`: Scrolling waveform with the current moment in the middle. `spectrum`: Spectrum as a glowing curve. `ring`: Bars around a circle, with room for a cover. `line`: Single oscilloscope line. `mirror`: Bars mirrored vertically, low frequencies in the middle. `cqt`: Musical notes (constant-Q transform) as bars above a scrolling history. `vectorscope`: Left against right channel, with an afterglow. `dots`: Matrix of dots that light up from the bottom. See `/docs/examples` for previews.",
        "values": [
          "bars",
          "wave",
          "spectrum",
          "ring",
          "line",
          "mirror",
          "cqt",
          "vectorscope",
          "dots"
        ]
      },
      {
        "field": "colors",
        "type": "array of \"#rrggbb\", 1–4 items",
        "description": "One to four colors as `#rrggbb`, used as a gradient. Its direction depends on the style: left to right, bottom to top, around the circle or outwards.",
        "list": true
      },
      {
        "field": "width",
        "type": "integer 16–4096",
        "description": "Width in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "height",
        "type": "integer 16–4096",
        "description": "Height in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "fps",
        "type": "number 1–60",
        "description": "Frame rate in frames per second.",
        "numeric": true
      },
      {
        "field": "bars",
        "type": "integer 8–256",
        "description": "Number of bars, columns of dots or points of the curve. `cqt` always has 108 (one per semitone of nine octaves); `line` and `vectorscope` have none.",
        "numeric": true
      },
      {
        "field": "smoothing",
        "type": "number 0–1",
        "description": "How slowly levels fall, from 0 (immediately) to 1 (slowest). They always rise immediately.",
        "numeric": true
      },
      {
        "field": "position",
        "type": "\"top_left\" | \"top\" | \"top_right\" | \"left\" | \"center\" | \"right\" | \"bottom_left\" | \"bottom\" | \"bottom_right\"",
        "description": "Position of the visualizer. By default at the bottom or in the middle, depending on the style and the other elements.",
        "values": [
          "top_left",
          "top",
          "top_right",
          "left",
          "center",
          "right",
          "bottom_left",
          "bottom",
          "bottom_right"
        ]
      },
      {
        "field": "size_percent",
        "type": "number 10–100",
        "description": "Size of the visualizer in percent of the width, or of the shorter side for `ring` and `vectorscope`. Defaults to 88; for `ring` and `vectorscope` to 66, or 84 in portrait format. A `ring` is smaller where its title and subtitle need the room.",
        "numeric": true
      },
      {
        "field": "opacity",
        "type": "number 0.05–1",
        "description": "Opacity of the visualizer, from 0.05 to 1.",
        "numeric": true
      },
      {
        "field": "title",
        "type": "string up to 120 characters",
        "description": "Title in any script; at most two lines are shown."
      },
      {
        "field": "subtitle",
        "type": "string up to 160 characters",
        "description": "Smaller text under the title."
      },
      {
        "field": "cover_url",
        "type": "URL",
        "description": "Public https:// URL of a cover (png, jpeg, webp or gif); it is cropped to a square, or to a circle inside `ring`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "when_background_shorter",
        "type": "\"loop\" | \"freeze\"",
        "description": "What follows if the background video ends before the audio: `loop` repeats it, `freeze` holds the last frame.",
        "values": [
          "loop",
          "freeze"
        ]
      },
      {
        "field": "fade",
        "type": "number 0–10",
        "description": "Fade-in and fade-out of picture and audio, in seconds. Each is at most half the length of the audio.",
        "numeric": true
      },
      {
        "field": "captions",
        "type": "{captions, captions_url, language, engine, preset, style, layout, entrance, max_words, max_chars_per_line, max_lines, position, safe_area, replacements, keywords, emoji, speakers, speaker_colors, voca",
        "description": "Captions of what is said or sung, drawn over the visualizer. `{}` recognizes the words; `captions` or `captions_url` in it gives them. The fields have the same meaning as in `/captions/auto`. Without `position`, captions are where the visualizer, title and cover leave the most room."
      },
      {
        "field": "quality",
        "type": "\"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of the video. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` uses h264, or vp9 in webm.",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "visualise",
      "visualizer",
      "waveform",
      "audiogram",
      "spectrum",
      "audio_visualizer",
      "audio_to_video"
    ],
    "examples": [
      {
        "title": "Bars in brand colors",
        "line": "spool visualize song.mp3 --style bars --colors '[\"#ff5f6d\",\"#ffc371\"]' --title 'Night Drive' --subtitle 'The Example Band'"
      },
      {
        "title": "Portrait, around a cover",
        "line": "spool visualize song.mp3 --style ring --width 1080 --height 1920 --cover-url cover.jpg --title 'Night Drive'"
      },
      {
        "title": "A wave over a video",
        "line": "spool visualize podcast.mp3 --video-url studio.mp4 --style wave --position bottom --opacity 0.9 --fade 1"
      },
      {
        "title": "A podcast with its words",
        "line": "spool visualize podcast.mp3 --style wave --width 1080 --height 1920 --captions '{\"language\":\"en\",\"preset\":\"word_pop\"}'"
      }
    ]
  },
  {
    "name": "photo-animate",
    "method": "photoAnimate",
    "path": "/photo/animate",
    "summary": "Turn one or more photos into a video with movement, transitions and music.",
    "required": [],
    "flags": [
      {
        "field": "photo_url",
        "type": "URL",
        "description": "Public https:// URL of the photo, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "photo_urls",
        "type": "array of (URL | {url, duration, preset, focus_x, focus_y}), 1–60 items",
        "description": "Photos in order. Each is a URL, or an object with the URL and its own settings. Give either `photo_url` or `photo_urls`.",
        "source": true,
        "list": true
      },
      {
        "field": "preset",
        "type": "\"ken_burns\" | \"zoom_in\" | \"zoom_out\" | \"pan_left\" | \"pan_right\" | \"pan_up\" | \"pan_down\" | \"push_diagonal\" | \"drift\" | \"pulse\" | \"parallax\"",
        "description": "Movement of the photos. `ken_burns`: Slow zoom and pan towards the focus; every second photo moves away from it. `zoom_in`: Zooms in on the focus. `zoom_out`: Zooms out from the focus. `pan_left`: Pans left. `pan_right`: Pans right. `pan_up`: Pans up. `pan_down`: Pans down. `push_diagonal`: Moves from one corner to the opposite one while zooming in. `drift`: Drifts slowly, like a hand-held camera. `pulse`: Zooms in and out every 2.5 seconds. `parallax`: Moves the foreground in front of the background; needs a depth engine. See `/docs/examples` for previews.",
        "values": [
          "ken_burns",
          "zoom_in",
          "zoom_out",
          "pan_left",
          "pan_right",
          "pan_up",
          "pan_down",
          "push_diagonal",
          "drift",
          "pulse",
          "parallax"
        ]
      },
      {
        "field": "duration",
        "type": "number 1–60",
        "description": "Seconds that each photo is shown, including its transitions.",
        "numeric": true
      },
      {
        "field": "fps",
        "type": "number 1–60",
        "description": "Frame rate in frames per second.",
        "numeric": true
      },
      {
        "field": "width",
        "type": "integer 16–4096",
        "description": "Width in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "height",
        "type": "integer 16–4096",
        "description": "Height in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "aspect_ratio",
        "type": "string",
        "description": "Aspect ratio of the output, such as `9:16`. Ignored if both `width` and `height` are given. Without `width` and `height`, the shorter side is 1080 px, or the longer side is 1920 px if that gives a smaller picture."
      },
      {
        "field": "zoom_start",
        "type": "number 1–3",
        "description": "Zoom factor at the start. 1 shows as much of the photo as fits.",
        "numeric": true
      },
      {
        "field": "zoom_end",
        "type": "number 1–3",
        "description": "Zoom factor at the end. `zoom_out` moves from `zoom_end` to `zoom_start`. Pans stay at `zoom_start` if the photo is large enough in that direction; otherwise they use `zoom_end`.",
        "numeric": true
      },
      {
        "field": "focus",
        "type": "\"point\" | \"auto\"",
        "description": "`auto` finds the subject of each photo: its faces, otherwise what stands out, otherwise the center. `point` uses `focus_x` and `focus_y`. A photo that has its own `focus_x` or `focus_y` uses them in either case.",
        "values": [
          "point",
          "auto"
        ]
      },
      {
        "field": "focus_x",
        "type": "number 0–1",
        "description": "Horizontal position of the subject, from 0 (left) to 1 (right).",
        "numeric": true
      },
      {
        "field": "focus_y",
        "type": "number 0–1",
        "description": "Vertical position of the subject, from 0 (top) to 1 (bottom).",
        "numeric": true
      },
      {
        "field": "easing",
        "type": "\"linear\" | \"ease_in_out\"",
        "description": "Speed of the movement: `linear` is constant, `ease_in_out` starts and ends slowly.",
        "values": [
          "linear",
          "ease_in_out"
        ]
      },
      {
        "field": "fill",
        "type": "\"cover\" | \"contain\" | \"blur\"",
        "description": "How a photo with another aspect ratio fills the frame. `cover` crops it, `contain` shows all of it on the color `background`, `blur` shows all of it on a blurred copy of itself.",
        "values": [
          "cover",
          "contain",
          "blur"
        ]
      },
      {
        "field": "background",
        "type": "\"#rrggbb\"",
        "description": "Color around photos with `fill: contain` and behind transparent photos, as `#rrggbb`."
      },
      {
        "field": "transition",
        "type": "\"none\" | \"fade\" | \"fadeblack\" | \"fadewhite\" | \"fadegrays\" | \"fadefast\" | \"fadeslow\" | \"dissolve\" | \"distance\" | \"pixelize\" | \"hblur\" | \"wipeleft\" | \"wiperight\" | \"wipeup\" | \"wipedown\" | \"wipetl\" | \"wi",
        "description": "Transition between photos. `none` is a hard cut. See `/docs/transitions` for previews.",
        "values": [
          "none",
          "fade",
          "fadeblack",
          "fadewhite",
          "fadegrays",
          "fadefast",
          "fadeslow",
          "dissolve",
          "distance",
          "pixelize",
          "hblur",
          "wipeleft",
          "wiperight",
          "wipeup",
          "wipedown",
          "wipetl",
          "wipetr",
          "wipebl",
          "wipebr",
          "smoothleft",
          "smoothright",
          "smoothup",
          "smoothdown",
          "diagtl",
          "diagtr",
          "diagbl",
          "diagbr",
          "slideleft",
          "slideright",
          "slideup",
          "slidedown",
          "coverleft",
          "coverright",
          "coverup",
          "coverdown",
          "revealleft",
          "revealright",
          "revealup",
          "revealdown",
          "circleopen",
          "circleclose",
          "circlecrop",
          "rectcrop",
          "vertopen",
          "vertclose",
          "horzopen",
          "horzclose",
          "radial",
          "zoomin",
          "squeezeh",
          "squeezev",
          "star",
          "heart",
          "diamond",
          "plus",
          "hexagon",
          "ringsin",
          "ringsout",
          "corners",
          "keyhole",
          "clock",
          "clockccw",
          "clockdouble",
          "fan",
          "pinwheel",
          "spiralin",
          "spiralout",
          "hlslice",
          "hrslice",
          "vuslice",
          "vdslice",
          "hlwind",
          "hrwind",
          "vuwind",
          "vdwind",
          "blindsh",
          "blindsv",
          "blindsdiag",
          "zigzagh",
          "zigzagv",
          "wavesh",
          "wavesv",
          "glitch",
          "checker",
          "randomsquares",
          "noise",
          "clouds",
          "polkadots",
          "bricks",
          "matrixrain",
          "whipleft",
          "whipright",
          "whipup",
          "whipdown",
          "spin",
          "spinccw",
          "zoomblurin",
          "zoomblurout",
          "flash",
          "lightleak"
        ]
      },
      {
        "field": "transition_duration",
        "type": "number 0–10",
        "description": "Duration of each transition in seconds; at most half the duration of the shorter of the two photos.",
        "numeric": true
      },
      {
        "field": "audio_url",
        "type": "URL",
        "description": "Public https:// URL of the music; if it is a video, its audio is used, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "length_policy",
        "type": "\"video\" | \"audio\" | \"shortest\"",
        "description": "Length of the output with music. `video`: as long as the photos; shorter music is repeated, longer music fades out. `audio`: as long as the music; the photos are shown accordingly. `shortest`: as long as the shorter of the two.",
        "values": [
          "video",
          "audio",
          "shortest"
        ]
      },
      {
        "field": "seed",
        "type": "integer 0–2147483647",
        "description": "Seed for the directions of `drift` and `ken_burns`. The same seed gives the same movement.",
        "numeric": true
      },
      {
        "field": "quality",
        "type": "\"low\" | \"medium\" | \"high\" | {crf} | {video_bitrate_kbps}",
        "description": "Quality of the video. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.",
        "values": [
          "low",
          "medium",
          "high"
        ]
      },
      {
        "field": "codec",
        "type": "\"auto\" | \"h264\" | \"hevc\" | \"vp9\" | \"av1\"",
        "description": "Video codec of the output. `auto` uses h264, or vp9 in webm.",
        "values": [
          "auto",
          "h264",
          "hevc",
          "vp9",
          "av1"
        ]
      },
      {
        "field": "format",
        "type": "\"mp4\" | \"mov\" | \"webm\" | \"mkv\"",
        "description": "Container format of the output.",
        "values": [
          "mp4",
          "mov",
          "webm",
          "mkv"
        ]
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "photo",
      "animate",
      "animate_photo",
      "animate_image",
      "ken_burns",
      "slideshow",
      "image_to_video",
      "images_to_video",
      "photo_to_video",
      "photos_to_video"
    ],
    "examples": [
      {
        "title": "One photo, moving towards a face",
        "line": "spool photo-animate beach.jpg --focus auto"
      },
      {
        "title": "Portrait slide show, as long as its music",
        "line": "spool photo-animate --photo-urls '[\"one.jpg\",{\"url\":\"two.jpg\",\"preset\":\"pan_left\",\"duration\":8},\"three.jpg\"]' --aspect-ratio 9:16 --fill blur --transition smoothleft --transition-duration 0.5 --audio-url music.mp3 --length-policy audio"
      },
      {
        "title": "A panorama",
        "line": "spool photo-animate mountains.jpg --preset pan_right --duration 12 --easing linear"
      }
    ]
  },
  {
    "name": "frame-last",
    "method": "frameLast",
    "path": "/frame/last",
    "summary": "Extract the last frame of a video as a picture.",
    "required": [
      "video_url"
    ],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "epsilon",
        "type": "number 0–10",
        "description": "Take the frame this many seconds before the end of the video.",
        "numeric": true
      },
      {
        "field": "width",
        "type": "integer 16–4096",
        "description": "Width in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "height",
        "type": "integer 16–4096",
        "description": "Height in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "fit",
        "type": "\"contain\" | \"cover\" | \"stretch\"",
        "description": "How the picture is fitted if both `width` and `height` are given. `contain` shows the whole picture without bars, `cover` fills the size and crops the rest, `stretch` ignores the aspect ratio. With one side alone, the aspect ratio is kept.",
        "values": [
          "contain",
          "cover",
          "stretch"
        ]
      },
      {
        "field": "quality",
        "type": "integer 1–100",
        "description": "Quality of jpeg and webp, from 1 to 100. png is always lossless.",
        "numeric": true
      },
      {
        "field": "format",
        "type": "\"jpeg\" | \"png\" | \"webp\"",
        "description": "Picture format of the output.",
        "values": [
          "jpeg",
          "png",
          "webp"
        ]
      },
      {
        "field": "skip_black",
        "type": "boolean",
        "description": "If the frame is black, use the nearest earlier frame that is not.",
        "boolean": true
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "last_frame",
      "get_last_frame"
    ],
    "examples": [
      {
        "title": "The last frame",
        "line": "spool frame-last talk.mp4"
      },
      {
        "title": "Half a second before the end, as a small png",
        "line": "spool frame-last talk.mp4 --epsilon 0.5 --width 640 --format png"
      }
    ]
  },
  {
    "name": "frame",
    "method": "frame",
    "path": "/frame",
    "summary": "Extract frames of a video as pictures, at given times or evenly spaced.",
    "required": [
      "video_url"
    ],
    "flags": [
      {
        "field": "video_url",
        "type": "URL",
        "description": "Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "timestamps",
        "type": "array of (number 0–360000 | \"HH:MM:SS.mmm\"), 1–100 items",
        "description": "Times in seconds. Give either `timestamps` or `count`.",
        "list": true,
        "numeric": true
      },
      {
        "field": "count",
        "type": "integer 1–100",
        "description": "Number of evenly spaced frames. Give either `count` or `timestamps`.",
        "numeric": true
      },
      {
        "field": "width",
        "type": "integer 16–4096",
        "description": "Width in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "height",
        "type": "integer 16–4096",
        "description": "Height in pixels, rounded down to an even number.",
        "numeric": true
      },
      {
        "field": "fit",
        "type": "\"contain\" | \"cover\" | \"stretch\"",
        "description": "How the picture is fitted if both `width` and `height` are given. `contain` shows the whole picture without bars, `cover` fills the size and crops the rest, `stretch` ignores the aspect ratio. With one side alone, the aspect ratio is kept.",
        "values": [
          "contain",
          "cover",
          "stretch"
        ]
      },
      {
        "field": "quality",
        "type": "integer 1–100",
        "description": "Quality of jpeg and webp, from 1 to 100. png is always lossless.",
        "numeric": true
      },
      {
        "field": "format",
        "type": "\"jpeg\" | \"png\" | \"webp\"",
        "description": "Picture format of the output.",
        "values": [
          "jpeg",
          "png",
          "webp"
        ]
      },
      {
        "field": "skip_black",
        "type": "boolean",
        "description": "If the frame is black, use the nearest earlier frame that is not.",
        "boolean": true
      },
      {
        "field": "sheet",
        "type": "boolean",
        "description": "Return one contact sheet instead of separate pictures.",
        "boolean": true
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "frames",
      "get_frame",
      "extract_frame",
      "thumbnail",
      "thumbnails",
      "generate_thumbnail",
      "screenshot",
      "screenshots",
      "snapshot",
      "poster",
      "contact_sheet"
    ],
    "examples": [
      {
        "title": "Three frames",
        "line": "spool frame talk.mp4 --timestamps '[1,2.5,\"00:00:10\"]'"
      },
      {
        "title": "Contact sheet with twelve frames",
        "line": "spool frame talk.mp4 --count 12 --width 320 --sheet"
      }
    ]
  },
  {
    "name": "probe",
    "method": "probe",
    "path": "/probe",
    "summary": "Inspect a media file: container, duration, streams, chapters, keyframes, loudness.",
    "required": [
      "url"
    ],
    "flags": [
      {
        "field": "url",
        "type": "URL",
        "description": "Public https:// URL of the source, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end).",
        "source": true
      },
      {
        "field": "count_frames",
        "type": "boolean",
        "description": "Count frames and keyframes even if more than 64 MB have to be read for that: of a source without an index that describes its frames, such as Matroska, WebM, AVI, MPEG-TS, MP4 in fragments, or MP4 with VP9 or MPEG-4 Part 2.",
        "boolean": true
      },
      {
        "field": "loudness",
        "type": "boolean",
        "description": "Also measure the loudness. This decodes the whole audio track.",
        "boolean": true
      },
      {
        "field": "callback_url",
        "type": "URL",
        "description": "Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks."
      },
      {
        "field": "metadata",
        "type": "object of string up to 512 characters",
        "description": "Up to 16 string values of your own, returned with the task."
      },
      {
        "field": "dry_run",
        "type": "boolean",
        "description": "Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.",
        "boolean": true
      },
      {
        "field": "output_name",
        "type": "string up to 200 characters",
        "description": "File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced."
      }
    ],
    "otherNames": [
      "info",
      "ffprobe",
      "mediainfo",
      "media_info",
      "get_info",
      "get_metadata",
      "inspect",
      "inspect_video",
      "analyze",
      "analyse",
      "probe_video"
    ],
    "examples": [
      {
        "title": "Inspect a video",
        "line": "spool probe talk.mp4"
      },
      {
        "title": "With loudness",
        "line": "spool probe talk.mp4 --loudness"
      }
    ]
  }
];
