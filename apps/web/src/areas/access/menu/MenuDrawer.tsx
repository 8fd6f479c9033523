import { MenuDraft, MenuRow, type MenuType, menus, menuTypes } from '@tocsin/contract/access/rights/menu'
import { useQuery } from '@tanstack/react-query'
import { Form, Input, InputNumber, Radio, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { Field } from '#ui/Field.tsx'
import { IconPicker } from '#ui/icon/IconPicker.tsx'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { FormGroup } from '#ui/form/FormGroup.tsx'
import { ParentSelect, TOP } from '#ui/tree/ParentSelect.tsx'
import { fieldsByType, menuDraft, pathProblem, menuTypeOf } from './menu-draft.ts'
import { ScreenInput } from './ScreenInput.tsx'

/** The parent of the entry: only directories and pages have children. */
const PlaceFields = ({ menu }: { menu: MenuRow | undefined }) => {
  const lang = useLang()
  const { data = [] } = useQuery(queryFor(menus.list, { query: {} }))
  const parents = data
    .filter((item) => ['DIR', 'MENU'].includes(menuTypeOf(item)))
    .map(({ id, parentId, name, nameEn }) => ({ id, parentId, name: lang === 'en' ? nameEn : name }))
  return (
    <>
      <Field of={MenuDraft} name="parentId">
        <ParentSelect rows={parents} moving={menu} />
      </Field>
      <Field of={MenuDraft} name="type">
        <Radio.Group optionType="button" options={enumOptions('menuType', menuTypes, lang)} />
      </Field>
    </>
  )
}

const PathField = ({ type }: { type: MenuType }) => {
  const { t } = useTranslation()
  const parentId: number | undefined = Form.useWatch('parentId')
  const help = parentId ? 'menu.pathBelowHelp' : 'menu.pathTopHelp'
  const rule = {
    validator: async (_: unknown, path: string | null | undefined) => {
      const problem = pathProblem({ type, parentId, path })
      if (problem) throw new Error(t(problem))
    },
  }
  return (
    <Field
      of={MenuDraft}
      name="path"
      required
      // Whether the path is valid depends on the parent.
      dependencies={['parentId', 'type']}
      rules={[rule]}
      extra={t(type === 'LINK' ? 'menu.linkHelp' : help)}
    >
      <Input maxLength={200} />
    </Field>
  )
}

const TypeFields = ({ type }: { type: MenuType }) => {
  const { t } = useTranslation()
  const has = fieldsByType[type]
  return (
    <>
      {has.has('path') && <PathField type={type} />}
      {has.has('component') && (
        <Field of={MenuDraft} name="component" extra={t('menu.componentHelp')}>
          <ScreenInput />
        </Field>
      )}
      {has.has('componentName') && (
        <Field of={MenuDraft} name="componentName" extra={t('menu.componentNameHelp')}>
          <Input maxLength={100} />
        </Field>
      )}
      {has.has('redirect') && (
        <Field of={MenuDraft} name="redirect" extra={t('menu.redirectHelp')}>
          <Input maxLength={200} />
        </Field>
      )}
      {has.has('permission') && (
        <Field of={MenuDraft} name="permission" extra={t('menu.permissionHelp')}>
          <Input maxLength={100} />
        </Field>
      )}
      {has.has('icon') && (
        <Field of={MenuDraft} name="icon" extra={t('menu.iconHelp')}>
          <IconPicker />
        </Field>
      )}
    </>
  )
}

const Switches = ({ type }: { type: MenuType }) => {
  const { t } = useTranslation()
  const has = fieldsByType[type]
  return (
    <>
      {has.has('visible') && (
        <Field of={MenuDraft} name="visible" valuePropName="checked" extra={t('menu.visibleHelp')}>
          <Switch />
        </Field>
      )}
      {has.has('keepAlive') && (
        <Field of={MenuDraft} name="keepAlive" valuePropName="checked" extra={t('menu.keepAliveHelp')}>
          <Switch />
        </Field>
      )}
      {has.has('alwaysShow') && (
        <Field of={MenuDraft} name="alwaysShow" valuePropName="checked" extra={t('menu.alwaysShowHelp')}>
          <Switch />
        </Field>
      )}
      <Field of={MenuDraft} name="status" valuePropName="checked" extra={t('menu.statusHelp')}>
        <Switch />
      </Field>
    </>
  )
}

const MenuFields = ({ menu }: { menu: MenuRow | undefined }) => {
  const { t } = useTranslation()
  const type: MenuType = Form.useWatch('type') ?? 'MENU'
  return (
    <>
      <FormGroup title={t('menu.group')} hint={t('menu.groupHint')}>
        <PlaceFields menu={menu} />
        <Field of={MenuDraft} name="name">
          <Input maxLength={50} />
        </Field>
        <Field of={MenuDraft} name="nameEn" extra={t('menu.nameEnHelp')}>
          <Input maxLength={50} />
        </Field>
        <Field of={MenuDraft} name="sort" extra={t('system.sortHelp')}>
          <InputNumber min={0} precision={0} style={{ width: '100%' }} />
        </Field>
      </FormGroup>
      <FormGroup title={t('menu.targetGroup')} hint={t('menu.targetGroupHint')}>
        <TypeFields type={type} />
      </FormGroup>
      <FormGroup title={t('menu.displayGroup')} hint={t('menu.displayGroupHint')}>
        <Switches type={type} />
      </FormGroup>
    </>
  )
}

const begin = (menu: MenuRow) => ({ ...menu, type: menuTypeOf(menu), parentId: menu.parentId ?? TOP })
const fresh = { sort: 1, status: true, visible: true, keepAlive: true, alwaysShow: true }

type Props = {
  /** Undefined for a new one. */
  menu: MenuRow | undefined
  /** The parent of a new one. */
  parent: MenuRow | undefined
  onClose: () => void
}

/** Creates a menu entry, or changes or moves the given one with a version check. */
export const MenuDrawer = ({ menu, parent, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const create = useApiMutation(menus.create, { fieldsInline: true })
  const update = useApiMutation(menus.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const draft = menuDraft(values)
    if (menu) await update.mutateAsync({ body: { ...draft, id: menu.id, version: newer ?? menu.version } })
    else await create.mutateAsync({ body: draft })
    notify.success(t(menu ? 'list.saved' : 'list.created'))
  }
  // The children of a page are its buttons.
  const type: MenuType = parent ? (parent.type === 'MENU' ? 'BUTTON' : 'MENU') : 'DIR'
  return (
    <EditDrawer
      title={menu ? t('menu.editOf', { name: lang === 'en' ? menu.nameEn : menu.name }) : t('menu.new')}
      initialValues={menu ? begin(menu) : { ...fresh, type, parentId: parent?.id ?? TOP }}
      save={save}
      reading={readAs(MenuRow, begin)}
      onClose={onClose}
    >
      <MenuFields menu={menu} />
    </EditDrawer>
  )
}
