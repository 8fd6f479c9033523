import type { Same } from '../same.ts'
import type { school as zh } from '../zh-cn/school.ts'

export const school: Same<typeof zh> = {
  places: 'Places',
  placesOf: 'Places of {name}',
  noPlaces: 'No places registered yet',
  noSchools: 'No schools yet. Create a department of kind school first, then register the school.',
  keyPart: 'Key part',
}
