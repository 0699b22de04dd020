// SPDX-License-Identifier: MIT
#include "gui/widgets/row_memory.h"

#include <QSettings>

#include <algorithm>

namespace flowgauge::widgets {

namespace {

constexpr auto lastGroup = "rows/last";
constexpr auto namedGroup = "rows/named";

void enter(QSettings& settings, const QString& name)
{
    settings.beginGroup(name.isEmpty() ? lastGroup : namedGroup);
    if (!name.isEmpty()) settings.beginGroup(name);
}

template <typename Texts>
QStringList listOf(const Texts& texts)
{
    QStringList list;
    for (const std::string& text : texts) list += QString::fromStdString(text);
    return list;
}

std::vector<std::string> textsOf(const QVariant& list)
{
    std::vector<std::string> texts;
    for (const QString& text : list.toStringList()) texts.push_back(text.toStdString());
    return texts;
}

std::set<std::string> setOf(const QVariant& list)
{
    const std::vector<std::string> texts = textsOf(list);
    return {texts.begin(), texts.end()};
}

}  // namespace

void rememberRows(const QString& name, const timeline::Arrangement& rows)
{
    QSettings settings;
    enter(settings, name);
    settings.setValue("folded", listOf(rows.folded));
    settings.setValue("pinned", listOf(rows.pinned));
    settings.setValue("hidden", listOf(rows.hidden));
    QVariantMap order, heights;  // ids hold slashes, which would be groups as keys of the settings themselves
    for (const auto& [heading, ids] : rows.order) order[QString::fromStdString(heading)] = listOf(ids);
    for (const auto& [id, height] : rows.heights) heights[QString::fromStdString(id)] = height;
    settings.setValue("order", order);
    settings.setValue("heights", heights);
    settings.setValue("pinnedPx", rows.pinnedPx);
}

timeline::Arrangement recalledRows(const QString& name)
{
    QSettings settings;
    enter(settings, name);
    timeline::Arrangement rows;
    rows.folded = setOf(settings.value("folded"));
    rows.pinned = setOf(settings.value("pinned"));
    rows.hidden = setOf(settings.value("hidden"));
    const QVariantMap order = settings.value("order").toMap();
    for (auto at = order.begin(); at != order.end(); ++at) rows.order[at.key().toStdString()] = textsOf(at.value());
    const QVariantMap heights = settings.value("heights").toMap();
    for (auto at = heights.begin(); at != heights.end(); ++at) rows.heights[at.key().toStdString()] = at.value().toInt();
    rows.pinnedPx = settings.value("pinnedPx").toInt();
    return rows;
}

QStringList rememberedRows()
{
    QSettings settings;
    settings.beginGroup(namedGroup);
    return settings.childGroups();
}

}  // namespace flowgauge::widgets
