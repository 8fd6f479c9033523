import type { EmergencyContact } from '@tocsin/contract/school/contact'
import type { RoleCode } from '#areas/access/seed/roles'
import type { Row } from '#db/tables'

// Data of the demo: invented names and places near a real lake, so that the map is not empty.

type DeptSeed = Pick<Row<'dept'>, 'code' | 'kind' | 'name'> & { parent: string }
export const demoDepts = [
  { code: 'DEMO-EAST', kind: 'EDU_BUREAU', name: '东湖区教育局', parent: 'EDU' },
  { code: 'DEMO-WEST', kind: 'EDU_BUREAU', name: '西山区教育局', parent: 'EDU' },
  { code: 'DEMO-STATION', kind: 'POLICE_STATION', name: '东湖派出所', parent: 'POLICE' },
  { code: 'DEMO-COMMAND', kind: 'COMMAND_CENTER', name: '市局指挥中心', parent: 'POLICE' },
] as const satisfies DeptSeed[]

type SchoolSeed = Pick<
  Row<'school'>,
  'code' | 'name' | 'stage' | 'areaType' | 'studentCount' | 'staffCount' | 'address'
> & {
  edu: string
  lng: number
  lat: number
  dutyPhone: string
  boarderCount?: number
  contacts: readonly EmergencyContact[]
}
export const demoSchools = [
  {
    code: 'DEMO-S1',
    name: '东湖第一小学',
    edu: 'DEMO-EAST',
    stage: 'PRIMARY',
    areaType: 'URBAN',
    studentCount: 1260,
    staffCount: 86,
    address: '东湖区湖滨路 18 号',
    lng: 114.3921,
    lat: 30.5524,
    dutyPhone: '027-5550101',
    contacts: [
      { role: 'GUARD_ROOM', name: '保安室', phone: '027-5550111' },
      { role: 'SAFETY_OFFICER', name: '孙建国', phone: '13900000102' },
      { role: 'PRINCIPAL', name: '刘敏', phone: '13900000101' },
      { role: 'LEGAL_VICE_HEAD', name: '郭志强', phone: '13900000103' },
    ],
  },
  {
    code: 'DEMO-S2',
    name: '东湖实验中学',
    edu: 'DEMO-EAST',
    stage: 'JUNIOR',
    areaType: 'SUBURBAN',
    studentCount: 1840,
    staffCount: 142,
    address: '东湖区学府路 6 号',
    lng: 114.4103,
    lat: 30.5467,
    dutyPhone: '027-5550201',
    contacts: [
      { role: 'GUARD_ROOM', name: '保安室', phone: '027-5550211' },
      { role: 'SAFETY_OFFICER', name: '钱立新', phone: '13900000202' },
      { role: 'PRINCIPAL', name: '朱文', phone: '13900000201' },
    ],
  },
  {
    code: 'DEMO-S3',
    name: '西山寄宿学校',
    edu: 'DEMO-WEST',
    stage: 'SENIOR',
    areaType: 'RURAL',
    studentCount: 960,
    staffCount: 97,
    boarderCount: 820,
    address: '西山区云岭镇环山路 1 号',
    lng: 114.3687,
    lat: 30.5312,
    dutyPhone: '027-5550301',
    contacts: [
      { role: 'GUARD_ROOM', name: '保安室', phone: '027-5550311' },
      { role: 'OTHER', name: '宿舍值班 何秀英', phone: '13900000304' },
      { role: 'SAFETY_OFFICER', name: '方正', phone: '13900000302' },
      { role: 'PRINCIPAL', name: '林海', phone: '13900000301' },
    ],
  },
] as const satisfies SchoolSeed[]

type RoomSeed = { name: string; model: 'button' | 'voice'; keyPart?: boolean; isPrivate?: boolean }
type BuildingSeed = { name: string; floors: { name: string; floorNo: number; rooms: RoomSeed[] }[] }

const classrooms = (floor: number): RoomSeed[] =>
  [1, 2, 3].map((room) => ({ name: `${floor}0${room}室`, model: 'button' as const }))

/** Eleven rooms and a gate, with a device in each. */
export const demoBuildings: readonly BuildingSeed[] = [
  {
    name: '教学楼',
    floors: [
      { name: '1层', floorNo: 1, rooms: [...classrooms(1), { name: '卫生间', model: 'voice', isPrivate: true }] },
      { name: '2层', floorNo: 2, rooms: [...classrooms(2), { name: '实验室', model: 'button', keyPart: true }] },
    ],
  },
  {
    name: '综合楼',
    floors: [
      {
        name: '1层',
        floorNo: 1,
        rooms: [
          { name: '保安室', model: 'button', keyPart: true },
          { name: '食堂', model: 'button', keyPart: true },
          { name: '心理咨询室', model: 'voice', isPrivate: true },
        ],
      },
    ],
  },
]
export const demoGate = { name: '南门', model: 'pillar' } as const

type AccountSeed = { username: string; nickname: string; role: RoleCode; dept: string; postIds: number[] }
/** `dept` is the code of a department, or of a school for the school's own department. */
export const demoAccounts = [
  { username: 'edu', nickname: '教育局 陈', role: 'edu_bureau', dept: 'EDU', postIds: [] },
  { username: 'edu.east', nickname: '东湖教育局 周', role: 'edu_bureau', dept: 'DEMO-EAST', postIds: [] },
  { username: 'supervisor', nickname: '督导 吴', role: 'supervisor', dept: 'EDU', postIds: [7] },
  { username: 'school1', nickname: '校长 刘', role: 'school_admin', dept: 'DEMO-S1', postIds: [1] },
  { username: 'safety1', nickname: '安全主任 孙', role: 'safety_officer', dept: 'DEMO-S1', postIds: [2] },
  { username: 'guard1', nickname: '保安 马', role: 'guard', dept: 'DEMO-S1', postIds: [3] },
  { username: 'counsellor1', nickname: '心理老师 何', role: 'counsellor', dept: 'DEMO-S1', postIds: [4] },
  { username: 'school2', nickname: '校长 朱', role: 'school_admin', dept: 'DEMO-S2', postIds: [1] },
  { username: 'guard2', nickname: '保安 胡', role: 'guard', dept: 'DEMO-S2', postIds: [3] },
  { username: 'school3', nickname: '校长 林', role: 'school_admin', dept: 'DEMO-S3', postIds: [1] },
  { username: 'guard3', nickname: '保安 高', role: 'guard', dept: 'DEMO-S3', postIds: [3] },
  { username: 'station', nickname: '所值班 郭', role: 'station_desk', dept: 'DEMO-STATION', postIds: [6] },
  { username: 'officer', nickname: '民警 罗', role: 'officer', dept: 'DEMO-STATION', postIds: [6] },
  { username: 'command', nickname: '接警员 梁', role: 'command_operator', dept: 'DEMO-COMMAND', postIds: [5] },
  { username: 'lead', nickname: '值班长 宋', role: 'shift_lead', dept: 'DEMO-COMMAND', postIds: [5] },
  { username: 'maintainer', nickname: '维护 唐', role: 'maintainer', dept: 'OPERATOR', postIds: [8] },
  { username: 'auditor', nickname: '审计 韩', role: 'auditor', dept: 'OPERATOR', postIds: [] },
  { username: 'security', nickname: '安全 杜', role: 'security_admin', dept: 'OPERATOR', postIds: [] },
] as const satisfies AccountSeed[]
