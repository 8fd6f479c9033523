import { codes } from '@tocsin/contract/codes'
import { employeeKinds } from '@tocsin/contract/school/employee'
import {
  EmployeeImportDraft,
  EmployeeSheetRow,
  employeeImports,
  employees,
} from '@tocsin/contract/school/employee-calls'
import { employeeLabels } from '@tocsin/contract/school/employee-labels'
import { createChoiceReader, createReferenceReader } from '#areas/files/import/cell-readers'
import { openEntityCheck } from '#areas/files/import/entity-check'
import type { CheckContext, Importer } from '#areas/files/import/importer'
import { createRowWriter } from '#areas/files/import/row-writer'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { insertEmployee, insertEmployees, updateEmployeeIn } from './edit.ts'

const key = 'employeeNo'

const loadSchools = (db: Db, actor: Actor) =>
  scoped(db, actor).selectFrom('school').select(['id', 'code', 'name', 'deptId']).execute()

/** A number is unique within an organization; a line without a school means the user's school. */
const toKey = (deptId: number, employeeNo: string) => `${deptId} ${employeeNo}`

const findExisting = async (db: Db, actor: Actor, drafts: readonly Partial<EmployeeImportDraft>[]) => {
  const numbers = drafts.flatMap(({ employeeNo }) => employeeNo ?? [])
  const rows = await scoped(db, actor)
    .selectFrom('employee')
    .selectAll()
    .where('employeeNo', 'in', ['', ...numbers])
    .execute()
  return new Map(rows.map((row) => [toKey(row.deptId, row.employeeNo), { id: row.id, values: row }]))
}

const openCheck = (context: CheckContext) =>
  openEntityCheck<EmployeeImportDraft>(
    {
      sheet: EmployeeSheetRow,
      draft: EmployeeImportDraft,
      key,
      open: async ({ db, who: { actor } }) => {
        const schools = await loadSchools(db, actor)
        const deptOf = new Map(schools.map(({ id, deptId }) => [id, deptId]))
        const own = schools.find(({ deptId }) => deptId === actor.deptId)
        const keyOf = ({ employeeNo, schoolId }: Partial<EmployeeImportDraft>) =>
          employeeNo && toKey(deptOf.get(schoolId ?? own?.id ?? 0) ?? actor.deptId, employeeNo)
        return {
          columns: {
            kind: { read: createChoiceReader(employeeLabels.employeeKind) },
            gender: { read: createChoiceReader(employeeLabels.gender) },
            schoolId: {
              read: createReferenceReader(
                schools.map(({ id, code, name }) => ({ id, names: [code, name] })),
                { missing: codes.importSchool, ambiguous: codes.importSchoolTwice },
              ),
            },
          },
          // An import for the user's own school need not name it.
          ...(own && { defaults: { schoolId: own.id } }),
          uniqueKeys: (draft) => {
            const of = keyOf(draft)
            return of ? [[key, of]] : []
          },
          keyOf,
          findExisting: (drafts) => findExisting(db, actor, drafts),
        }
      },
    },
    context,
  )

/** The register of a school as a spreadsheet. */
export const employeeImporter: Importer<EmployeeImportDraft> = {
  endpoints: employeeImports,
  jobName: 'employee-import',
  page: '/school/employee',
  title: '人员',
  titleEn: 'People',
  sheet: EmployeeSheetRow,
  otherHeadings: {
    employeeNo: ['人员编号', '编号'],
    name: ['人员姓名'],
    schoolId: ['学校名称', '学校代码'],
    mobile: ['手机号码', '手机号'],
  },
  required: ['employeeNo', 'name', 'kind'],
  key,
  constraints: { employee_no_key: key },
  template: async (db, actor) => {
    const schools = await loadSchools(db, actor)
    const words = employeeKinds.map((kind) => employeeLabels.employeeKind[kind][0])
    return {
      samples: [
        ['BA-001', '张三', '保安', schools[0]?.name ?? '', '男', '', '门卫', '', '2027-06-30', '2026-09-01', ''],
      ],
      choices: { kind: words, gender: ['男', '女'], schoolId: schools.slice(0, 100).map(({ name }) => name) },
    }
  },
  openCheck,
  writer: createRowWriter<EmployeeImportDraft>({
    draft: EmployeeImportDraft,
    key,
    constraints: { employee_no_key: key },
    permissions: { create: employees.create.permission, update: employees.update.permission },
    create: (trx, draft, caller) => insertEmployee(trx, draft, caller),
    createAll: insertEmployees,
    update: (trx, id, draft, caller) => updateEmployeeIn(trx, { id, ...draft }, caller),
  }),
}
