import type { EmployeeRow } from '@tocsin/contract/school/employee'
import { employeeVerbs } from '@tocsin/contract/school/employee-calls'
import {
  type EmployeeVerb,
  employeeRule,
  employeeVerbNames,
  whyNotEmployeeVerb,
} from '@tocsin/contract/school/employee-lifecycle'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useSession } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'

type Verb = { name: EmployeeVerb; label: string; run: () => void }

/** Verbs that the user may apply now, by the table of the contract; leaving asks first. */
export const useEmployeeVerbs = (onLeave: (person: EmployeeRow) => void) => {
  const { t } = useTranslation()
  const lang = useLang()
  const permissions = useSession(({ permissions: held }) => held)
  const absent = useApiMutation(employeeVerbs.absent)
  const back = useApiMutation(employeeVerbs.back)
  const rejoin = useApiMutation(employeeVerbs.rejoin)
  const writes = { absent, back, rejoin }
  return (person: EmployeeRow): Verb[] =>
    employeeVerbNames
      .filter((name) => permissions.has(employeeRule(name).permission) && !whyNotEmployeeVerb(name, person.status))
      .map((name) => {
        const label = enumLabel('employeeVerb', name, lang)
        const done = () => notify.success(t('employee.done', { name: person.name, verb: label }))
        const { id, version } = person
        const run = () =>
          name === 'leave' ? onLeave(person) : writes[name].mutate({ body: { id, version } }, { onSuccess: done })
        return { name, label, run }
      })
}
