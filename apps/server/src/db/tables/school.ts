import { Day, Id, Millis } from '@tocsin/contract/codecs'
import { CalendarDay, SchoolTerm } from '@tocsin/contract/school/calendar'
import { Employee } from '@tocsin/contract/school/employee'
import { Place } from '@tocsin/contract/school/place'
import { FloorPlan } from '@tocsin/contract/school/plan/floor-plan'
import { School } from '@tocsin/contract/school/school'
import { z } from 'zod'
import { editedFilled, table } from './table.ts'

export const schoolTables = {
  school: table(
    School,
    [
      ...editedFilled,
      'boarding',
      'studentCount',
      'boarderCount',
      'staffCount',
      'coordinateSystem',
      'emergencyContacts',
      'status',
    ],
    { school: 'id' },
  ),
  employee: table(Employee, [...editedFilled, 'gender', 'status', 'channels'], {
    school: 'school_id',
    dept: 'dept_id',
  }),
  // Reached through the person, who has the visibility.
  employeeSchool: table(z.strictObject({ employeeId: Id, schoolId: Id }), [], 'open'),
  // Reached through the person, who has the visibility.
  employeeCertNotice: table(
    z.strictObject({ employeeId: Id, expiresOn: Day, noticedAt: Millis }),
    ['noticedAt'],
    'open',
  ),
  schoolCalendarDay: table(CalendarDay, ['id', 'official'], { dept: 'dept_id' }),
  schoolTerm: table(SchoolTerm, [...editedFilled], { dept: 'dept_id' }),
  place: table(Place, [...editedFilled, 'coordinateSystem', 'sensitivity', 'keyPart', 'cameraIds', 'sort'], {
    school: 'school_id',
  }),
  floorPlan: table(FloorPlan, [...editedFilled], { school: 'school_id' }),
}
