import type { Topic } from '../topic.ts'

export const calendar = {
  dept: ['学校或教育局', 'School or bureau'],
  previous: ['上一年', 'Previous year'],
  next: ['下一年', 'Next year'],
  today: ['今天：{kind}', 'Today: {kind}'],
  until: ['法定节假日数据到 {day}', 'Official holidays known until {day}'],
  noOfficial: ['还没有法定节假日', 'No official holidays yet'],
  fill: ['填入法定节假日', 'Fill in official holidays'],
  filled: ['已填入 {n} 天', '{n, plural(one: day; other: days)} filled in'],
  help: [
    '拖动或先后点两天选一段日期，同一天点两次选一天；方向键移动，回车选择。',
    'Drag, or click two days, to choose a range, or one day twice; arrow keys move, Enter chooses.',
  ],
  chosenFirst: ['从 {day} 起，再点最后一天', 'From {day}; now click the last day'],
  setRange: ['设置 {from} 至 {to}', 'Set {from} to {to}'],
  byTerm: ['按学期和星期', 'By term and weekday'],
  set: ['已设置 {n} 天', '{n, plural(one: day; other: days)} set'],
  terms: ['学期', 'Terms'],
  noTerms: ['没有学期：周一至周五都算上课', 'No terms: every weekday has class'],
  createTerm: ['新增学期', 'New term'],
  editTerm: ['修改学期', 'Edit term'],
  importTitle: ['导入校历', 'Import days'],
  importHelp: [
    '每行一天：日期、类型（上课、放假、考试、补课）、名称。写入你所在的部门。',
    'One day a line: day, kind (class, holiday, exam, make-up day), name. They belong to your department.',
  ],
  chooseDept: ['先选择学校或教育局', 'Choose a school or bureau first'],
} satisfies Topic
