import type { EmployeeQuery } from '../../packages/contract/src/school/employee.ts'
import type { DeviceQuery } from '../../packages/contract/src/device/device.ts'
import type { SchoolDeviceQuery } from '../../packages/contract/src/device/school-device.ts'
import type { SchoolQuery } from '../../packages/contract/src/school/school.ts'
import { pageDevices } from '../../apps/server/src/areas/device/device.ts'
import { pageInstallations } from '../../apps/server/src/areas/device/school-device.ts'
import { employeePage } from '../../apps/server/src/areas/school/employee/read.ts'
import { pageSchools } from '../../apps/server/src/areas/school/school.ts'
import type { BenchServer } from '../bench-server.ts'
import { asked, type Case } from './list-case.ts'

const SCHOOLS = 3000
const PLACES_EACH = 10

/** Schools, people and devices of a city, at most one school for each of these departments. */
export const fillRegister = async (
  { pool }: BenchServer['access'],
  depts: readonly number[],
  scale: number,
): Promise<void> => {
  const schools = Math.max(10, Math.round(Math.min(SCHOOLS, depts.length) * scale))
  await pool.query(
    `insert into school (dept_id, code, name, stage, area_type, status, student_count)
     select ($2::bigint[])[n], 'BENCH' || n, '第' || n || '小学', 'PRIMARY', 'URBAN', 'ACTIVE', n % 3000
     from generate_series(1, $1::int) n`,
    [schools, depts],
  )
  await pool.query(
    `insert into place (school_id, kind, name)
     select school.id, 'ROOM', n || '室' from school, generate_series(1, ${PLACES_EACH}) n where code like 'BENCH%'`,
  )
  await pool.query(
    `insert into employee (dept_id, school_id, employee_no, name, kind, cert_expires_on)
     select dept_id, id, 'B' || n, '员工' || n, 'TEACHER', current_date + n * 7
     from school, generate_series(1, 20) n where code like 'BENCH%'`,
  )
  await pool.query(
    `insert into device_model (product_key, vendor, name, kind, power, alarm_codes)
     values ('benchbtn01', 'bench', 'bench', 'PANIC_BUTTON', 'BATTERY', '{PANIC}')`,
  )
  await pool.query(
    `insert into device (sn, model_id, dept_id, school_id, lifecycle, batch_no, warranty_until)
     select 'BENCH-' || school.id || '-' || n, model.id, school.dept_id, school.id, 'IN_SERVICE', 'B' || n % 40,
       current_date + (school.id * n % 900)::int
     from school, generate_series(1, 33) n, device_model model
     where school.code like 'BENCH%' and model.product_key = 'benchbtn01'`,
  )
  await pool.query(
    `insert into device_state (device_id, connectivity, last_seen_at)
     select id, case when id % 50 = 0 then 'OFFLINE' else 'ONLINE' end, now() from device where sn like 'BENCH-%'
     on conflict (device_id) do nothing`,
  )
  await pool.query(
    `insert into school_device (device_id, school_id, place_id, status, installed_at, last_test_at, next_test_due)
     select device.id, device.school_id, spot.id, 'ACCEPTED', now() - interval '1 year',
       now() - make_interval(days => (device.id % 120)::int), current_date + 92 - (device.id % 120)::int
     from device join (
       select id, school_id, row_number() over (partition by school_id order by id) as no from place
     ) spot on spot.school_id = device.school_id and spot.no = 1 + device.id % ${PLACES_EACH}
     where device.sn like 'BENCH-%'`,
  )
  await pool.query('vacuum analyze school, place, employee, device_model, device, device_state, school_device')
}

const schools = (name: string, query: SchoolQuery): Case => ({
  name: `schools, ${name}`,
  path: `/school/school/page?${asked(query)}`,
  run: ({ db, actor }) => pageSchools(db, actor, query),
})

const devices = (name: string, query: DeviceQuery): Case => ({
  name: `devices, ${name}`,
  path: `/device/device/page?${asked(query)}`,
  run: ({ db, actor }) => pageDevices(db, actor, query),
})

const installations = (name: string, query: SchoolDeviceQuery): Case => ({
  name: `installations, ${name}`,
  path: `/device/school-device/page?${asked(query)}`,
  run: ({ db, actor }) => pageInstallations(db, actor, query),
})

const origin = { ip: '127.0.0.1', userAgent: 'bench', traceId: 'bench' }

const people = (name: string, query: EmployeeQuery): Case => ({
  name: `people, ${name}`,
  path: `/school/employee/page?${asked(query)}`,
  run: ({ db, actor }) => employeePage(db, query, { actor, origin }),
})

/** The lists of the register, with the orders and filters that people use most. */
export const registerCases = (): Case[] => [
  schools('least ready first', {}),
  schools('by name', { orderBy: 'name' }),
  schools('most devices first', { orderBy: '-deviceCount' }),
  schools('most open alarms first', { orderBy: '-openAlarmCount' }),
  schools('by district', { orderBy: 'eduDeptName' }),
  schools('with open alarms', { openAlarms: true }),
  devices('first page', {}),
  devices('by serial number', { orderBy: 'sn' }),
  devices('by warranty', { orderBy: 'warrantyUntil' }),
  devices('offline ones', { connectivity: ['OFFLINE'] }),
  installations('first page', {}),
  installations('by the next test', { orderBy: 'nextTestDue' }),
  installations('by the last test', { orderBy: '-lastTestAt' }),
  installations('by place', { orderBy: 'placePath' }),
  installations('test overdue', { testOverdue: true }),
  people('first page', {}),
  people('by school', { orderBy: 'deptName' }),
  people('by certificate', { orderBy: 'certExpiresOn' }),
  people('certificate due', { certDue: true }),
]
