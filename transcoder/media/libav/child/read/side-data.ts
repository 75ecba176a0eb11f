/** Structures of libavutil in memory, printed in ffprobe's format. Native byte order is little endian. */

/** Counter-clockwise rotation in degrees, from a matrix of nine 16.16 fixed-point numbers. */
export function displayRotation(matrix: Buffer): number {
  const at = (index: number) => matrix.readInt32LE(index * 4) / 65_536;
  const scale = [Math.hypot(at(0), at(3)), Math.hypot(at(1), at(4))] as const;
  if (scale[0] === 0 || scale[1] === 0) return 0;
  return Math.round((-Math.atan2(at(1) / scale[1], at(0) / scale[0]) * 180) / Math.PI);
}

/** The nine numbers of a display matrix in three rows. */
export const printedMatrix = (matrix: Buffer): string =>
  [0, 1, 2]
    .map((row) => {
      const numbers = [0, 4, 8].map((at) => matrix.readInt32LE(row * 12 + at));
      return `0000000${row}: ${numbers.join(' ')}\n`;
    })
    .join('');

/** AVMasteringDisplayMetadata: red, green, blue, white point, minimum and maximum luminance, all as fractions. */
export function masteringDisplay(data: Buffer): Record<string, unknown> {
  const at = (index: number) => `${data.readInt32LE(index * 8)}/${data.readInt32LE(index * 8 + 4)}`;
  const [hasPrimaries, hasLuminance] = [data.readInt32LE(80) !== 0, data.readInt32LE(84) !== 0];
  return {
    side_data_type: 'Mastering display metadata',
    ...(hasPrimaries
      ? {
          ...{ red_x: at(0), red_y: at(1), green_x: at(2), green_y: at(3), blue_x: at(4), blue_y: at(5) },
          ...{ white_point_x: at(6), white_point_y: at(7) },
        }
      : {}),
    ...(hasLuminance ? { min_luminance: at(8), max_luminance: at(9) } : {}),
  };
}

/** AVDOVIDecoderConfigurationRecord. */
export function dolbyVision(data: Buffer): Record<string, unknown> {
  return {
    side_data_type: 'DOVI configuration record',
    dv_profile: data.readUInt8(2),
    dv_bl_signal_compatibility_id: data.readUInt8(7),
  };
}

/** AVContentLightMetadata. */
export function contentLight(data: Buffer): Record<string, unknown> {
  return {
    side_data_type: 'Content light level metadata',
    max_content: data.readUInt32LE(0),
    max_average: data.readUInt32LE(4),
  };
}
