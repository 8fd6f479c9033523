import type { EmployeeRow } from '@tocsin/contract/school/employee'
import { employees } from '@tocsin/contract/school/employee-calls'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'

/** Asks, then removes the link of a person to the account, which stays. */
export const useUnlinkAccount = ({ id, version, name, username, userId }: EmployeeRow) => {
  const { t } = useTranslation()
  const { mutate } = useApiMutation(employees.linkAccount)
  return async () => {
    const account = username ?? `#${userId}`
    const title = t('employee.unlinkAsk', { name, account })
    if (!(await confirm({ title, text: t('employee.unlinkEffect'), danger: true }))) return
    const onSuccess = () => notify.success(t('employee.done', { name, verb: t('employee.unlink') }))
    mutate({ body: { id, version, userId: null } }, { onSuccess })
  }
}
