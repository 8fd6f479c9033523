import { RecordQuery } from '@tocsin/contract/alarm/record'
import { describe, expect, it } from 'vitest'
import { formatDateTime } from '#ui/time.ts'
import { countedAlarms } from './counted-alarms.ts'
import { fillFacts, subjectFacts } from './subject-facts.ts'

const at = new Date('2026-11-20T06:03:00Z')
const alarm = { id: 7, label: 'YJ1', schoolId: 3, schoolName: '东湖一小', place: '2 号楼 / 304', level: 1, at }
const school = { id: 3, label: '东湖一小', schoolId: 3, schoolName: '东湖一小', place: null, level: null, at: null }

describe('subjectFacts', () => {
  it('states level, place and time of an alarm in both languages', () => {
    const rest = `东湖一小 2 号楼 / 304 · ${formatDateTime(at)}`
    expect(subjectFacts('WARN_RECORD', alarm, 'zh-cn')).toBe(`警情：YJ1 · 一级 · ${rest}`)
    expect(subjectFacts('WARN_RECORD', alarm, 'en')).toBe(`Alarm: YJ1 · Level 1 · ${rest}`)
  })

  it('names a school once', () => {
    expect(subjectFacts('SCHOOL', school, 'zh-cn')).toBe('学校：东湖一小')
  })
})

describe('fillFacts', () => {
  const first = { text: '警情：YJ1', schoolId: 3 }
  const second = { text: '警情：YJ2', schoolId: 4 }

  it('replaces the facts of the subject before and keeps what a person wrote', () => {
    expect(fillFacts({ content: '已到场。' }, first, undefined)).toMatchObject({
      content: '警情：YJ1\n已到场。',
      schoolId: 3,
    })
    expect(fillFacts({ content: '警情：YJ1\n已到场。', schoolId: 3 }, second, first)).toEqual({
      content: '警情：YJ2\n已到场。',
      schoolId: 4,
      responsibleUserId: null,
    })
    expect(fillFacts({ content: '警情：YJ1', schoolId: 3 }, undefined, first)).toMatchObject({
      content: '',
      schoolId: null,
    })
  })

  it('leaves a unit that a person chose', () => {
    expect(fillFacts({ responsibleDeptId: 9 }, first, undefined)).toEqual({ content: '警情：YJ1' })
    expect(fillFacts({ schoolId: 8 }, first, undefined)).toEqual({ content: '警情：YJ1' })
    expect(fillFacts({ schoolId: 3, responsibleUserId: 5 }, first, undefined)).toEqual({ content: '警情：YJ1' })
  })
})

describe('countedAlarms', () => {
  const evidence = { kind: 'FALSE_RATE', figure: 4, total: 10, limit: 30, level: null, place: null } as const
  const decode = (filters: string) => RecordQuery.decode(Object.fromEntries(new URLSearchParams(filters)) as never)

  it('filters the alarm list by what a false rate counted', () => {
    const until = new Date(at.getTime() + 30 * 86_400_000)
    const counted = countedAlarms({ ...evidence, since: at, until }, 3)
    const all = { schoolId: 3, mode: ['LIVE'], open: false, continued: false, from: at, to: until }
    expect(decode(counted?.all ?? '')).toEqual(all)
    expect(decode(counted?.false ?? '')).toEqual({ ...all, falseAlarm: true })
  })

  it('is nothing for other evidence', () => {
    expect(countedAlarms({ ...evidence, kind: 'DRILL_LATE', since: at, until: null }, 3)).toBeUndefined()
  })
})
