import { Place } from '@tocsin/contract/school/place'
import { School } from '@tocsin/contract/school/school'
import { editedFilled, table } from './table.ts'

export const schoolTables = {
  school: table(
    School,
    [...editedFilled, 'boarding', 'studentCount', 'boarderCount', 'staffCount', 'emergencyContacts', 'status'],
    { school: 'id' },
  ),
  place: table(Place, [...editedFilled, 'sensitivity', 'keyPart', 'cameraIds', 'sort'], { school: 'school_id' }),
}
