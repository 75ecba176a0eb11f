import { z } from 'zod';

/** HDR10 static metadata in the notation of x265. */
export const mastering = z.object({ display: z.string().nullable(), light: z.string().nullable() });
export type Mastering = z.output<typeof mastering>;

/** HDR10 metadata as parameters of x265; none if there is none. */
export function x265Mastering(mastering: Mastering | null): string[] {
  const given = [
    ...(mastering?.display ? [`master-display=${mastering.display}`] : []),
    ...(mastering?.light ? [`max-cll=${mastering.light}`] : []),
  ];
  return given.length > 0 ? ['hdr10=1', ...given] : [];
}

/** The same of SVT-AV1, which takes it in whole units: chromaticity from 0 to 1, luminance in cd/m². */
export function svtMastering(mastering: Mastering | null): string[] {
  const scaled = (units: string, one: number) =>
    units.split(',').map((unit) => Number((Number(unit) / one).toFixed(5)));
  const display = mastering?.display?.replace(
    /\b([A-Z]+)\(([\d,]+)\)/g,
    (_, name: string, units: string) => `${name}(${scaled(units, name === 'L' ? 10_000 : 50_000)})`,
  );
  return [
    ...(display ? [`mastering-display=${display}`] : []),
    ...(mastering?.light ? [`content-light=${mastering.light}`] : []),
  ];
}
