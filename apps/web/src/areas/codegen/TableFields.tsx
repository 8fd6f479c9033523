import { useQuery } from '@tanstack/react-query'
import { codegens } from '@tocsin/contract/codegen/calls'
import {
  type CodegenDetail,
  type CodegenMenu,
  CodegenTable,
  CodegenTableDraft,
  codegenAreas,
  codegenVisibilities,
  codegenTemplates,
} from '@tocsin/contract/codegen/codegen'
import { labelIn } from '@tocsin/contract/field'
import { Form, type FormItemProps, Input, Radio, Select, TreeSelect, type TreeSelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { queryFor } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { fieldErrorTexts, isRequired } from '#ui/form.ts'
import { type Branch, treeOf } from '#ui/tree/tree.ts'

type Name = keyof typeof CodegenTableDraft.shape

const TableField = ({ name, ...rest }: { name: Name } & Omit<FormItemProps, 'name' | 'label'>) => {
  const lang = useLang()
  // See ui/form.ts fieldIssues for the type of a shape.
  const schema: z.ZodType = CodegenTableDraft.shape[name]
  const rule = {
    validator: async (_: unknown, value: unknown) => {
      const [first] = fieldErrorTexts(CodegenTableDraft, name, value, lang)
      if (first) throw new Error(first)
    },
  }
  return (
    <Form.Item
      name={['table', name]}
      label={labelIn(lang, schema)}
      required={isRequired(schema)}
      rules={[rule]}
      {...rest}
    />
  )
}

type Node = { value: string; title: string; children: Node[] }

/** The directory of the menu entry; none: at the top. */
const MenuChoice = (rest: Omit<TreeSelectProps<string | null>, 'treeData'>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { data = [] } = useQuery({ ...queryFor(codegens.menus), staleTime: 60_000 })
  const nodeOf = ({ componentName, name, nameEn, children = [] }: Branch<CodegenMenu>): Node => ({
    value: componentName,
    title: lang === 'en' ? nameEn : name,
    children: children.map(nodeOf),
  })
  return (
    <TreeSelect
      allowClear
      treeData={treeOf(data).map(nodeOf)}
      placeholder={t('codegen.menuTop')}
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeDefaultExpandAll
      {...rest}
    />
  )
}

/** The first tab: the names of the module and the visibility of its rows. */
export const TableFields = ({ detail: { table, columns } }: { detail: CodegenDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { shape } = CodegenTable
  const sub = Form.useWatch<string | undefined>(['table', 'template']) === 'SUB'
  const joins = columns
    .filter(({ refers }) => refers !== null && refers !== table.tableName)
    .map(({ columnName, refers }) => ({ value: columnName, label: `${columnName} → ${refers}` }))
  return (
    <div style={{ maxWidth: 640 }}>
      <Form.Item label={labelIn(lang, shape.tableName)}>
        <code className="breaks">{table.tableName}</code>
      </Form.Item>
      {table.comment && (
        <Form.Item label={labelIn(lang, shape.comment)}>
          <span className="breaks">{table.comment}</span>
        </Form.Item>
      )}
      <TableField name="title">
        <Input maxLength={20} />
      </TableField>
      <TableField name="titleEn">
        <Input maxLength={40} />
      </TableField>
      <TableField name="entity" extra={t('codegen.entityHelp')}>
        <Input maxLength={24} />
      </TableField>
      <TableField name="area">
        <Select options={enumOptions('codegenArea', codegenAreas, lang)} />
      </TableField>
      <TableField name="template" extra={t('codegen.templateHelp')}>
        <Radio.Group optionType="button" options={enumOptions('codegenTemplate', codegenTemplates, lang)} />
      </TableField>
      {sub && (
        <TableField name="joinColumn" extra={t('codegen.joinHelp')}>
          <Select options={joins} />
        </TableField>
      )}
      <TableField name="sight" extra={t('codegen.sightHelp')}>
        <Select options={enumOptions('codegenSight', codegenVisibilities, lang)} />
      </TableField>
      <TableField name="menuUnder" extra={t('codegen.menuHelp')}>
        <MenuChoice />
      </TableField>
      <TableField name="remark">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </TableField>
    </div>
  )
}
