import type { DayKind } from './calendar.ts'
import { schoolStatusLabels } from '../codes/school-codes.ts'
import { type EnumLabels, type Lang, lookupLabel } from '../field.ts'
import type { ContactRole, VerificationWay } from './contact.ts'
import type { Place } from './place.ts'
import type { School, SetupStep } from './school.ts'
import type { SchoolVerb } from './school-status.ts'

const contactRole: EnumLabels<ContactRole> = {
  PRINCIPAL: ['校长', 'Principal'],
  SAFETY_OFFICER: ['安全主任', 'Safety officer'],
  LEGAL_VICE_HEAD: ['法治副校长', 'Legal vice-head'],
  GUARD_ROOM: ['保安室', 'Guard room'],
  OTHER: ['其他', 'Other'],
}

const verificationWay: EnumLabels<VerificationWay> = { CODE: ['验证码', 'Code'], PERSON: ['通话', 'Call'] }

const placeKind: EnumLabels<Place['kind']> = {
  CAMPUS: ['校区', 'Campus'],
  BUILDING: ['楼栋', 'Building'],
  FLOOR: ['楼层', 'Floor'],
  ROOM: ['房间', 'Room'],
  ZONE: ['区域', 'Zone'],
  GATE: ['出入口', 'Gate'],
  OUTDOOR: ['室外', 'Outdoors'],
}

const sensitivity: EnumLabels<Place['sensitivity']> = { NORMAL: ['普通', 'Normal'], PRIVATE: ['隐私', 'Private'] }

const stage: EnumLabels<School['stage']> = {
  KINDERGARTEN: ['幼儿园', 'Kindergarten'],
  PRIMARY: ['小学', 'Primary'],
  JUNIOR: ['初中', 'Junior secondary'],
  SENIOR: ['高中', 'Senior secondary'],
  VOCATIONAL: ['职业学校', 'Vocational'],
  SPECIAL: ['特殊教育', 'Special needs'],
  UNIVERSITY: ['高等院校', 'University'],
}

const areaType: EnumLabels<School['areaType']> = {
  URBAN: ['城区', 'Urban'],
  SUBURBAN: ['城郊', 'Suburban'],
  RURAL: ['乡村', 'Rural'],
}

const schoolVerb: EnumLabels<SchoolVerb> = {
  activate: ['启用', 'Activate'],
  suspend: ['停用', 'Suspend'],
  resume: ['恢复使用', 'Resume'],
  close: ['关闭学校', 'Close'],
}

const setupStep: EnumLabels<SetupStep> = {
  STATION: ['派出所', 'Police station'],
  LOCATION: ['坐标', 'Location'],
  PLACES: ['位置', 'Places'],
  PEOPLE: ['人员', 'People'],
  CONTACTS: ['应急联系人', 'Emergency contacts'],
  DEVICES: ['设备', 'Devices'],
  TEST: ['按钮测试', 'Button test'],
}

const dayKind: EnumLabels<DayKind> = {
  CLASS: ['上课', 'Class'],
  HOLIDAY: ['放假', 'Holiday'],
  EXAM: ['考试', 'Exam'],
  MAKEUP: ['补课', 'Make-up day'],
}

/** One letter for a cell of the year. */
export const dayLetters: EnumLabels<DayKind> = {
  CLASS: ['课', 'C'],
  HOLIDAY: ['假', 'H'],
  EXAM: ['考', 'E'],
  MAKEUP: ['补', 'M'],
}

/** Labels of schools and places, for screens, spreadsheets and errors. */
export const schoolLabels = {
  contactRole,
  verificationWay,
  placeKind,
  sensitivity,
  stage,
  areaType,
  schoolStatus: schoolStatusLabels,
  schoolVerb,
  setupStep,
  dayKind,
}

export const schoolLabel = (kind: keyof typeof schoolLabels, value: string, lang: Lang): string =>
  lookupLabel(schoolLabels[kind], value, lang)
