import { hundredth as n } from './ass-drawing.ts';
import type { Movement } from './entrance.ts';
import type { CaptionEvent, Laid, Point } from './layout.ts';
import type { CaptionPlace } from './safe-area.ts';

/** The override block of an event: where it is and how blurred. */
export function overrides({ at, blur, moves }: CaptionEvent): string {
  const tags = [
    at ? `\\an7${moves ? '' : `\\pos(${n(at.x)},${n(at.y)})`}` : '',
    blur > 0 && !moves ? `\\blur${blur.toFixed(1)}` : '',
    moves ?? '',
  ].join('');
  return tags === '' ? '' : `{${tags}}`;
}

/** The point that captions are aligned with, in pixels of the picture. */
export function anchorOf(
  { picture, left, right, horizontal, vertical }: CaptionPlace,
  margin: number,
): Point {
  const { width, height } = picture;
  return {
    x: { left, center: left + (width - left - right) / 2, right: width - right }[horizontal],
    y: { top: margin, middle: height / 2, bottom: height - margin }[vertical],
  };
}

/** An event while its caption enters. What would reach out of the safe area is cut off. */
export function entering(
  event: CaptionEvent,
  { start, end, from, to }: Movement,
  laid: Laid,
  place: CaptionPlace,
): CaptionEvent {
  const { line, margin } = laid;
  const anchor = anchorOf(place, margin);
  const own = event.at ?? anchor;
  const ms = Math.round(1000 * (end - start));
  const point = ({ scale, below }: Movement['from']) =>
    `${n(anchor.x + scale * (own.x - anchor.x))},${n(anchor.y + scale * (own.y - anchor.y) + below * line)}`;
  const size = ({ scale }: Movement['from']) => `\\fscx${n(100 * scale)}\\fscy${n(100 * scale)}`;
  const blur = (pose: Movement['from']) => `\\blur${(event.blur + pose.blur * line).toFixed(1)}`;
  const alpha = ({ opacity }: Movement['from']) => Math.round(255 * (1 - opacity));
  const { width, height } = place.picture;
  const safe = [place.left, place.top, width - place.right, height - place.bottom].join(',');
  const tags = [
    `\\move(${point(from)},${point(to)},0,${ms})`,
    ...[size(from), blur(from), `\\t(0,${ms},${size(to)}${blur(to)})`],
    `\\fade(${alpha(from)},${alpha(to)},${alpha(to)},0,${ms},${ms + 1},${ms + 2})`,
    `\\clip(${safe})`,
  ];
  return {
    ...event,
    start: Math.max(event.start, start),
    end: Math.min(event.end, end),
    moves: tags.join(''),
  };
}
