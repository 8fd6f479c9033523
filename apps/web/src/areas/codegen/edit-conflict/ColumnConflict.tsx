import { CodegenColumn, type CodegenDetail, CodegenTable } from '@tocsin/contract/codegen/codegen'
import { type Lang, labelIn } from '@tocsin/contract/field'
import { Button, Form, type FormInstance } from 'antd'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useLang } from '#texts/i18n.ts'
import type { EnumKind } from '#texts/enum-labels.ts'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { ConflictAlert } from '#ui/edit-conflict/ConflictAlert.tsx'
import { isSame } from '#ui/edit-conflict/remote-row.ts'
import type { Values } from '../columns/columns-form.ts'
import { flattenForm, ORDER } from './merge-columns.ts'
import type { ColumnConflictState } from './use-column-conflict.ts'

type Columns = CodegenDetail['columns']
const columnOf = (columns: Columns, id: string | undefined) => columns.find((column) => column.id === Number(id))

const labelOf = (name: string, columns: Columns, lang: Lang): string => {
  const [part, of = '', field = ''] = name.split('.')
  if (name === ORDER) return labelIn(lang, CodegenColumn.shape.sort)
  // See ui/form.ts fieldIssues for the type of a shape.
  if (part === 'table') return labelIn(lang, (CodegenTable.shape as Record<string, z.ZodType>)[of] as z.ZodType)
  const label = labelIn(lang, (CodegenColumn.shape as Record<string, z.ZodType>)[field] as z.ZodType)
  return `${columnOf(columns, of)?.columnName}: ${label}`
}

const words: Readonly<Record<string, EnumKind>> = {
  area: 'codegenArea',
  sight: 'codegenSight',
  template: 'codegenTemplate',
  formType: 'formType',
  queryType: 'queryType',
}

const Value = ({ name, value, columns }: { name: string; value: unknown; columns: Columns }) => {
  if (name === ORDER) {
    const names = String(value)
      .split(',')
      .map((id) => columnOf(columns, id)?.columnName)
    return names.filter(Boolean).join(', ')
  }
  if (typeof value === 'boolean') return <YesNoText yes={value} />
  const kind = words[name.split('.').at(-1) ?? '']
  if (kind) return <EnumLabel kind={kind} value={value as string} />
  return value === null || value === undefined || value === '' ? '–' : String(value)
}

/** Fields changed by both users, in which the form still has another value. */
const useDiffering = (form: FormInstance<Values>, state: ColumnConflictState): string[] => {
  const values = Form.useWatch<Values | undefined>([], { form, preserve: true })
  if (!values?.table || !values.columns) return []
  const mine = flattenForm(state.detail, values)
  return state.conflicting.filter((name) => !isSame(mine[name], state.theirs[name]))
}

type Props = { form: FormInstance<Values>; told: ColumnConflictState }

/** The label of the save button after a conflict. */
export const SaveOverLabel = ({ form, told }: Props) => {
  const { t } = useTranslation()
  return t(useDiffering(form, told).length > 0 ? 'list.saveMine' : 'list.save')
}

/** Above the form: the changes of the other user, how they were merged, and the values of fields that both changed. */
export const ColumnConflict = ({ form, told }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const differing = useDiffering(form, told)
  const { theirs, merged: followed } = told
  const { columns } = told.detail
  const take = (names: readonly string[]) => (event: MouseEvent<HTMLElement>) => {
    // This button disappears with the difference; the focus stays here.
    event.currentTarget.closest<HTMLElement>('.meanwhile')?.focus()
    told.take(names)
  }
  const nothing = followed.length === 0 && told.conflicting.length === 0
  const names = followed.map((name) => labelOf(name, columns, lang)).join(lang === 'en' ? ', ' : '、')
  return (
    <ConflictAlert told={theirs}>
      {nothing && <p>{t('list.staleNoConflict')}</p>}
      {followed.length > 0 && <p>{t('list.staleFollowed', { names })}</p>}
      {differing.length > 0 && (
        <>
          <p>{t('codegen.staleDiffering')}</p>
          <ul className="code-theirs">
            {differing.map((name) => (
              <li key={name}>
                <span>{labelOf(name, columns, lang)}</span>
                <strong>
                  <Value name={name} value={theirs[name]} columns={columns} />
                </strong>
                <Button
                  size="small"
                  type="link"
                  aria-label={`${t('list.takeTheirs')} ${labelOf(name, columns, lang)}`}
                  onClick={take([name])}
                >
                  {t('list.takeTheirs')}
                </Button>
              </li>
            ))}
          </ul>
          <Button size="small" onClick={take(differing)}>
            {t('list.takeAllTheirs')}
          </Button>
        </>
      )}
    </ConflictAlert>
  )
}
