import type { SameKeys } from '../same-keys.ts'
import type { school as zh } from '../zh-cn/school.ts'

export const school: SameKeys<typeof zh> = {
  places: 'Places',
  placesOf: 'Places of {name}',
  noPlaces: 'No places registered yet',
  noSchools: 'No schools yet. Create a department of kind school first, then register the school.',
  keyPart: 'Key part',
  contacts: 'Emergency contacts',
  noContacts: 'No emergency contacts registered yet',
  numbersMasked: 'Numbers are hidden: you have no right to see them',
  fence: 'Geofence',
  noFence: 'No geofence drawn yet',
  fenceOf: '{n} corners, about {area} ha',
  cameras: 'Cameras {names}',
  outlined: 'Outline on the plan: {n} points',
}
