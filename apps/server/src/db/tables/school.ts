import { Place } from '@tocsin/contract/school/place'
import { School } from '@tocsin/contract/school/school'
import { editedFilled, table } from './table.ts'

export const schoolTables = {
  school: table(School, [...editedFilled, 'boarding', 'studentCount', 'boarderCount', 'staffCount', 'status'], {
    school: 'id',
  }),
  place: table(Place, [...editedFilled, 'sensitivity', 'keyPart', 'sort'], { school: 'school_id' }),
}
