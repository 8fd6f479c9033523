import { codes } from '@tocsin/contract/codes'
import type { Lang } from '@tocsin/contract/field'
import { issueText } from '@tocsin/contract/issue'
import type { FormInstance } from 'antd'
import { ApiError } from '#api/error.ts'
import { showError } from '#api/messages.ts'
import { errorText } from '#api/error-display.ts'
import { markErrors } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { isStale } from '#ui/edit-conflict/remote-row.ts'

/** Errors that concern one field of the submitted form. */
const fields: readonly (readonly [name: string, ...refusals: { code: number }[]])[] = [
  ['username', codes.userExists],
  ['mobile', codes.mobileExists],
  ['email', codes.emailExists],
  ['oldPassword', codes.oldPassword],
  ['password', codes.passwordCommon, codes.passwordWrong],
  ['newPassword', codes.passwordCommon, codes.passwordUnchanged],
  ['deptId', codes.deptMissing, codes.deptDisabled],
  ['roleIds', codes.roleMissing, codes.roleDisabled, codes.beyondPermission, codes.beyondAdmin],
  ['dataScope', codes.beyondScope],
  ['dataScopeDeptIds', codes.deptMissing],
  ['name', codes.roleName, codes.deptName, codes.menuName, codes.dictTypeName],
  ['code', codes.roleCode, codes.roleReserved, codes.deptCode, codes.codeWrong, codes.secondFactorWrong],
  ['type', codes.dictTypeType, codes.dictTypeFixed],
  ['dictType', codes.dictTypeMissing, codes.dictTypeDisabled],
  ['value', codes.dictDataValue, codes.configSecurity, codes.configShorter],
  ['key', codes.configKey, codes.configBuiltInKey],
  ['componentName', codes.menuComponentName],
  ['path', codes.menuPath],
  ['permission', codes.beyondPermission],
  ['leaderUserId', codes.userMissing],
  ['parentId', codes.menuParentMissing, codes.menuParentSelf, codes.menuParentButton, codes.menuParentBelow],
  ['target', codes.noticeBeyond],
  ['schoolId', codes.notFound],
  ['content', codes.fileMissing],
  ['parentId', codes.deptParentMissing, codes.deptParentSelf, codes.deptParentBelow, codes.beyondScope],
]

/** The form's fields of an error; undefined when it concerns the whole form. */
const blamed = (code: number | string, has: (name: string) => boolean): string | undefined =>
  fields.find(([name, ...refusals]) => has(name) && refusals.some((refusal) => refusal.code === code))?.[0]

/** Shows the server's errors at their fields; the caller shows those without a field. */
export const showFieldErrors = (form: FormInstance, error: unknown, lang: Lang): void => {
  if (!(error instanceof ApiError)) return
  if (isStale(error)) showError(error)
  // An error without a visible field must be shown too: the call was told that the form shows it.
  const [unsaid] = markErrors(form, error.errors, lang)
  if (unsaid) notify.error(issueText(unsaid, lang))
  const shown: Record<string, unknown> = form.getFieldsValue()
  const name = blamed(error.code, (value) => value in shown)
  if (name) form.setFields([{ name, errors: [errorText(error, lang)] }])
}
