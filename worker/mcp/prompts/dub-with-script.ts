import { z } from 'zod';
import { spokenLanguages, tool, voiceIds } from './names.ts';
import { FINISH, prompt, steps, text } from './prompt.ts';

export const dubWithScript = prompt({
  name: 'dub_with_script',
  title: 'Dub with a script',
  description: 'Speak a script over a video, with its own sound kept quietly in the background.',
  fields: z.strictObject({
    video_url: text('https URL of the video'),
    script: z.string().min(1).max(100_000).meta({ description: 'Plain text, or SRT or VTT with times' }),
    voice: text('Voice; default: one of the language').optional(),
    language: text('Language of the script; default en').optional(),
  }),
  complete: { voice: voiceIds, language: spokenLanguages },
  text: ({ video_url, script, voice, language = 'en' }) => {
    const voiced = voice === undefined ? '' : `, voice_id "${voice}"`;
    const call = `video_url "${video_url}", the script below, language "${language}"${voiced} and bg_source "keep"`;
    return `Dub the video ${video_url} with the script at the end.

${steps(
  `Call ${tool('redub_tts')} with ${call}, and with dry_run true. When it is completed, look at plan.data.segments: if a line has an overrun, tell me which, and suggest a shorter one. If left_out names /plan/data/segments, tell me that only the lines shown were looked at.`,
  `If no line overruns, or I accept it, call ${tool('redub_tts')} with the same fields without dry_run.`,
)}

${FINISH}

Script:
${script}`;
  },
});
