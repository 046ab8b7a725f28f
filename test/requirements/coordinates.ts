/** Requirements of coordinates and their spaces. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#coordinates. */
export const coordinates: readonly Requirement[] = [
  {
    id: 'space.unaware-picture',
    text: 'The picture of a program that is not aware of DPI is whole, and its elements and clicks fit it.',
    source: 'behaviour#pictures',
  },
  {
    id: 'point.window',
    text: 'A point of an observation moves with the window that it shows; after the window changed its size it is state_conflict.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'point.deepest',
    text: 'A point inside a group box or a static text goes to the control there, as a person’s click does.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'capture.mirrored',
    text: 'In a mirrored window the picture, the masks and the elements are where the screen shows them.',
    source: 'behaviour#pictures',
  },
  {
    id: 'space.executor',
    text: 'Points of the executor face are screen pixels: x · displayWidth / width + originX of a ScreenshotResult.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.executor-client',
    text: 'virtualMouse, mouseWheel and activateWindow of the executor face take client coordinates.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.default',
    text: 'Action face: a point without a space is in image space, whatever the action.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.choice',
    text: 'Action face: every action with a point takes it in image, client or screen space.',
    source: 'behaviour#coordinates',
  },
  { id: 'space.cursor', text: 'getCursorPosition answers screen pixels.', source: 'behaviour#coordinates' },
  {
    id: 'space.schema',
    text: 'Action face: the schema of every action with a point says that its default space is image.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.unscaled',
    text: 'displayWidth and displayHeight are the unscaled size of what was captured.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.origin',
    text: 'originX and originY are the screen origin of what was captured; bound: of the window.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.unobserved',
    text: 'A point in image space before any observation is state_conflict, and the hint says to take a screenshot or snapshot, or to name another space.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.zoom',
    text: 'Action face: zoom takes its region in the pixels of the picture.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.zoom-shows',
    text: 'zoom shows the part of the screen that the picture shows there.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.answers',
    text: 'Rectangles of elements in answers are in image space.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.answers-observation',
    text: 'An answer with rectangles names their observation.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.first-answer',
    text: 'Before any observation, an answer with rectangles makes one.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.region',
    text: 'regionLogical of the executor face is in unscaled pixels from the capture’s origin.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.capture',
    text: 'Space capture of the action face is in unscaled pixels from the capture’s origin.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.awareness',
    text: 'A target that is not per-monitor-DPI-aware gets its messages and bitmaps converted by its own awareness.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'space.desktop',
    text: 'A point outside the desktop is invalid_argument, and nothing is sent.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'observation.id',
    text: 'Each screenshot or snapshot is an observation with an observationId and its geometry.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'observation.latest',
    text: 'Image points without an observationId belong to the latest observation.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'observation.centre',
    text: 'Rectangles in an accessibility text are in image space, so that the centre of every enabled leaf that is neither off-screen nor covered hits that element.',
    source: 'behaviour#coordinates',
  },
  {
    id: 'observation.picture',
    text: 'At each point, the picture of an observation shows what its text says is there.',
    source: 'behaviour#coordinates',
  },
];
