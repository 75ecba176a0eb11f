import { expect, test } from 'vitest';
import { parseChannelLevels } from '../../../transcoder/ffmpeg/channel-levels.ts';

test('the levels of channels are read from the report alone, and silence is one', () => {
  const line = (text: string) => `[Parsed_astats_2 @ 0x55f0] ${text}\n`;
  const quoted = line('Channel: 1') + line('RMS level dB: -1.000000');
  const report = ['Channel: 1', 'RMS level dB: -23.518342', 'Channel: 2', 'RMS level dB: -inf'];
  expect(parseChannelLevels(`${quoted}title: x\n${report.map(line).join('')}`)).toEqual([
    -23.518342,
    Number.NEGATIVE_INFINITY,
  ]);
  expect(parseChannelLevels('nothing')).toEqual([]);
});
